/** The size of a choice: measured, or estimated as a sum of measured parts. */
import { byVariant } from '../../../build/prove/attribute.ts'
import type { Catalogue, Place } from './catalogue.ts'
import { at, type Choice, type Chosen } from './catalogue.ts'
import { type Figures, figureOf, partName, wholeOf } from './figures.ts'

/** The size of one bundle. */
export interface Size {
  /** Minified bytes; undefined if too little has been measured to say anything. */
  readonly bytes: number | undefined
  readonly isMeasured: boolean
  /** Of the code that is loaded at the start; only measured. */
  readonly gzipBytes?: number
  /** Where the figure comes from, in a few words. */
  readonly from: string
  /** Present features without any figure, which the estimate leaves out. */
  readonly unmeasured: readonly string[]
}

/** The npm packages of a feature in a variant. */
export function packagesOf({ knownFeatures }: Catalogue, id: string, choice: string | true): readonly string[] {
  return byVariant(knownFeatures[id]?.packages, choice === true ? undefined : choice)
}

/**
 * The size of the bundle at a place. If it was not measured with exactly these features, it is estimated: the last
 * measured bundle of the profile, and the measured parts that came or went since.
 */
export function sizeOf(catalogue: Catalogue, figures: Figures, choice: Choice, place: Place): Size {
  const whole = wholeOf(figures, choice, place)
  if (whole !== undefined) {
    const { bytes, gzipBytes, from } = whole
    return { bytes, gzipBytes, isMeasured: true, from: `measured: ${from}`, unmeasured: [] }
  }
  const features = at(choice, place)
  const now = partsOf(catalogue, features)
  const [last] = figures.wholes[place]
  const before = last === undefined ? new Set<string>() : partsOf(catalogue, last.features)
  const [came, gone] = [[...now].filter((name) => !before.has(name)), [...before].filter((name) => !now.has(name))]
  const unmeasured = came.filter((name) => figureOf(figures, place, name) === undefined)
  const sum = (names: readonly string[]): number =>
    names.reduce((bytes, name) => bytes + (figureOf(figures, place, name)?.bytes ?? 0), 0)
  const rest = figureOf(figures, place, 'rest')
  if (last === undefined && rest === undefined) {
    return {
      bytes: undefined,
      isMeasured: false,
      from: 'no build and no bundle was measured; measure bundles the choice',
      unmeasured: [],
    }
  }
  const base = last?.bytes ?? rest!.bytes
  const from =
    last === undefined ? 'estimate: the sum of measured parts' : `estimate: ${last.from}, and the parts that differ`
  return { bytes: Math.max(0, base + sum(came) - sum(gone)), isMeasured: false, from, unmeasured }
}

/** The names of the parts of a set: its features, and each of their packages once. */
function partsOf(catalogue: Catalogue, features: Chosen): Set<string> {
  return new Set(
    Object.entries(features).flatMap(([id, choice]) => [
      partName(id, choice),
      ...packagesOf(catalogue, id, choice).map((name) => `package:${name}`),
    ]),
  )
}
