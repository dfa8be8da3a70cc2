/** What a choice needs beside its features, and what a build would refuse after the plan. */
import type { TargetSpec } from '../../../../core/declare/matrix.ts'
import { isAllowed } from '../../../build/policy/policy.ts'
import { at, type Catalogue, type Choice, type Place, placesOf, platformAt } from './catalogue.ts'
import { type Figures, figureOf, partName, wholeOf } from './figures.ts'
import { licenceOf } from './packages.ts'
import { packagesOf } from './size.ts'
import { verdictOf } from './verdict.ts'
import { kib, placeWords } from './words.ts'

/**
 * The built-ins that the measured bundles use and the profile does not allow. Empty for a choice that was not measured.
 */
export function builtinsFor(catalogue: Catalogue, figures: Figures, choice: Choice): string[] {
  const used = placesOf(choice)
    .filter((place) => platformAt(catalogue, place) === 'node')
    .flatMap((place) => wholeOf(figures, choice, place)?.builtins ?? [])
  return [...new Set(used)].filter((name) => !catalogue.profile.builtins.includes(name)).sort()
}

/** The difference to the recorded size that fails a build, as a part of it. */
const TOLERANCE = 0.05

/** What a person should know before the file is written. */
export function notesFor(catalogue: Catalogue, figures: Figures, choice: Choice): string[] {
  const { conflicts, warnings } = verdictOf(catalogue, choice)
  return [
    ...conflicts.map(
      ({ code, message, hint }) => `A build will refuse this. ${code}: ${message}${hint ? ` ${hint}` : ''}`,
    ),
    ...placesOf(choice).flatMap((place) => [
      ...sizeNotes(catalogue, figures, choice, place),
      ...unusedNotes(figures, choice, place),
    ]),
    ...licenceNotes(catalogue, choice),
    ...warnings,
  ]
}

function sizeNotes({ profile }: Catalogue, figures: Figures, choice: Choice, place: Place): string[] {
  const spec: TargetSpec | undefined = profile[place]
  const gzip = wholeOf(figures, choice, place)?.gzipBytes
  if (gzip === undefined || spec === undefined) return []
  const { gzipBytes, gzipLimit } = spec
  const isOff = gzipBytes !== undefined && Math.abs(gzip - gzipBytes) > TOLERANCE * gzipBytes
  return [
    ...(isOff
      ? [
          `gzipBytes of the ${placeWords[place]} is ${gzipBytes}, and ` +
            `now ${gzip} bytes: a build fails until the profile says so.`,
        ]
      : []),
    ...(gzipLimit !== undefined && gzip > gzipLimit
      ? [`The ${placeWords[place]} has ${kib(gzip)} with gzip, and gzipLimit allows ${kib(gzipLimit)}.`]
      : []),
  ]
}

/** Features that nothing uses: a build fails, because a bundle has no byte of them. */
function unusedNotes(figures: Figures, choice: Choice, place: Place): string[] {
  if (wholeOf(figures, choice, place) === undefined) return []
  return Object.entries(at(choice, place))
    .filter(([id, variant]) => figureOf(figures, place, partName(id, variant))?.bytes === 0)
    .map(
      ([id]) =>
        `Nothing in the ${placeWords[place]} uses ${id}, so no byte of it is in: a build fails (ERR_PROOF_MISSING).`,
    )
}

function licenceNotes(catalogue: Catalogue, choice: Choice): string[] {
  const { licenses, base } = catalogue.profile
  if (licenses === undefined) return []
  const chosen = Object.entries({ ...choice.library, ...choice.main })
  return [...new Set(chosen.flatMap(([id, variant]) => packagesOf(catalogue, id, variant)))]
    .filter((name) => !isAllowed(licenceOf(name, base), licenses))
    .map(
      (name) =>
        `The licence of ${name} is ${licenceOf(name, base) ?? 'unknown'}, ` +
        'which licenses of the profile does not allow.',
    )
}
