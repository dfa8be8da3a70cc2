/** Marks for what only readers and the toolkit need: `described` for parts of declarations, `documented` for texts. */

declare const __PROGRAM__: boolean

/**
 * Marks the part of a declaration that no bundle contains: summaries, answers, contracts, and the imports that only
 * they use. In the sources it is the value itself. The build replaces the call by `undefined`
 * (scripts/build/generate/without-about.ts) in the module of a feature, and in files called `feature.ts` or
 * `routes.ts`, or ending so.
 *
 * @example
 * ```ts
 * import { defineFeature, described } from 'svc/plugin'
 *
 * export const feature = defineFeature({
 *   id: 'edge.quote',
 *   about: described({
 *     summary: 'Quotes of the day',
 *     stability: 'experimental',
 *     since: '1.0.0',
 *     platform: 'web',
 *     contract: { present: { none: 'nothing is seen of it' }, absent: { none: 'nothing is seen of it' } },
 *   }),
 * })
 * ```
 */
export function described<const T>(value: T): T | undefined {
  return value
}

/**
 * A text for documentation. The toolkit reads it from the sources, and a program keeps it. A library lacks it: a define
 * makes this function empty, and the bundler removes its calls with their texts.
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
