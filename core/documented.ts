/** What only a program needs: it has an environment and a command line, and prints what settings and routes are for. */

declare const __PROGRAM__: boolean

/**
 * A text for documentation. The toolkit reads it from the sources, and a program keeps it, by a define that is the build's
 * own; a library is without it: there this is a function that does nothing, and the bundler takes out its calls with their texts.
 */
export function documented(text: string): string | undefined {
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) return text
  return undefined
}

/** What a program has and a library has not, as {@link documented} does it for texts. */
export function inProgram<T>(value: T): T | undefined {
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) return value
  return undefined
}
