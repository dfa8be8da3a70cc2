/** What only readers and the toolkit need. */

/**
 * Marks the part of a declaration that no bundle contains: summaries, answers, contracts, and the imports that only they use. In
 * the sources it is the value itself. The build replaces the call by `undefined` (scripts/build/generate/without-about.ts) in
 * the module of a feature, and in files called `feature.ts` or `routes.ts`, or ending so.
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
