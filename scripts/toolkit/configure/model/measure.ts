/** Measures: reads the accounts of builds, and bundles what a person asks for. Nothing is proven or delivered here. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT, type Account } from '../../../build/account/account.ts'
import { accountOf } from '../../../build/account/make-account.ts'
import { bundle } from '../../../build/bundle/bundle.ts'
import { generate } from '../../../build/generate/generate.ts'
import { distDir, shown, workDir } from '../../../build/paths.ts'
import { chosen } from '../../../build/plan/checks/check-features.ts'
import { type LoadedProfile, loadProfile } from '../../../build/plan/load-profile.ts'
import { planLoaded } from '../../../build/plan/plan.ts'
import { hashAhead } from '../../../build/prove/packages/package-hash.ts'
import { installedFor } from '../../../build/prove/packages/packages.ts'
import { readUnchanged } from '../../../build/record/record.ts'
import { orderedProfiles } from '../../matrix/columns.ts'
import { readDist } from '../../open-dist.ts'
import { type Catalogue, type Choice, placesOf, variantsOf } from './catalogue.ts'
import { type Figures, figureOf, noFigures, partName, wholeOf, withAccount } from './figures.ts'
import { profileWith } from './verdict.ts'

/**
 * The figures of the builds that exist: of the profile itself, then of our profiles. An older build of the profile is
 * only estimated from.
 */
export function figuresOfBuilds({ profile }: Pick<Catalogue, 'profile'>): Figures {
  const names = [profile.name, ...orderedProfiles().filter((name) => name !== profile.name)]
  const current = readUnchanged(profile.path)?.folder
  return names.reduce((figures, name) => {
    const folder = distDir(name)
    if (!existsSync(join(folder, ACCOUNT))) return figures
    return withAccount(figures, readDist(folder).account, `the build in ${shown(folder, workDir)}`, folder === current)
  }, noFigures)
}

/**
 * Bundles the choice, unless exactly this choice was measured.
 * @throws SvcError the errors of planning and bundling
 */
export async function measureChoice(
  catalogue: Catalogue,
  figures: Figures,
  choice: Choice,
  step: (text: string) => void,
): Promise<Figures> {
  if (placesOf(choice).every((place) => wholeOf(figures, choice, place) !== undefined)) return figures
  step(`bundling ${catalogue.profile.name}`)
  return withAccount(figures, await accountNow(profileWith(catalogue, choice)), 'the bundle made now', true)
}

/**
 * Bundles those of our profiles that have a feature without a figure.
 * @throws SvcError the errors of planning and bundling
 */
export async function measureOthers(
  catalogue: Catalogue,
  figures: Figures,
  step: (text: string) => void,
): Promise<Figures> {
  let next = figures
  for (const name of orderedProfiles()) {
    const profile = await loadProfile(name)
    const features = { ...profile.library.features, ...profile.main?.features }
    if (!chosen(features).some((id) => lacksFigure(catalogue, next, id))) continue
    step(`bundling ${name}, for the features that no build has measured yet`)
    next = withAccount(next, await accountNow(profile), `${name}, bundled now`, false)
  }
  return next
}

function lacksFigure({ knownFeatures }: Catalogue, figures: Figures, id: string): boolean {
  const feature = knownFeatures[id]
  return (
    feature !== undefined &&
    variantsOf(feature).every((choice) => figureOf(figures, 'main', partName(id, choice)) === undefined)
  )
}

async function accountNow(profile: LoadedProfile): Promise<Account> {
  const planned = await planLoaded(withoutSingle(profile), true)
  const bundles = await Promise.all(generate(planned).map((generated) => bundle(generated)))
  await hashAhead(bundles.flatMap((one) => installedFor(one, profile.base)))
  return accountOf(planned, bundles)
}

/** The library in one file has the same features as the library in several. */
function withoutSingle(profile: LoadedProfile): LoadedProfile {
  const { single: _, ...library } = profile.library
  return { ...profile, library }
}
