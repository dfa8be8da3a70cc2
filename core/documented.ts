/** Texts for documentation: summaries of settings and routes, and hints. */

declare const __PROGRAM__: boolean

/**
 * A text for documentation. The toolkit reads it from the sources, and a program keeps it. A library lacks it: a define makes this
 * function empty, and the bundler removes its calls with their texts.
 *
 * @example
 * ```ts
 * import { documented, integer } from 'svc/plugin'
 *
 * const setting = integer({ default: 7, summary: documented('Most quotes of an answer.') })
 * setting.default // → 7
 * ```
 */
export function documented(text: string): string | undefined {
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) return text
  return undefined
}
