/** Texts that say what a setting or a route is for, and how what a plugin declares is mended. */

declare const __PROGRAM__: boolean

/**
 * A text for documentation. The toolkit reads it from the sources, and a program keeps it, by a define that is the build's
 * own; a library is without it: there this is a function that does nothing, and the bundler takes out its calls with their texts.
 */
export function documented(text: string): string | undefined {
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) return text
  return undefined
}
