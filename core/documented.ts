/** Texts that say what a setting or a route is for. */

declare const __CLI__: boolean

/**
 * A text for documentation. The toolkit reads it from the sources, and a program keeps it; a library without a command line
 * is without it: there this is a function that does nothing, and the bundler takes out its calls with their texts.
 */
export function documented(text: string): string | undefined {
  if (typeof __CLI__ === 'undefined' || __CLI__) return text
  return undefined
}
