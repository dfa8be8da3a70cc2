/** Measures: reads the accounts of builds, and bundles what a person asks for. Nothing is proven or delivered here. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT, type Account, accountOf } from '../../../build/account/account.ts'
import { bundle } from '../../../build/bundle/bundle.ts'
import { generate } from '../../../build/generate/generate.ts'
import { distDir, shown, workDir } from '../../../build/paths.ts'
import type { LoadedProfile } from '../../../build/plan/load-profile.ts'
import { loadProfile } from '../../../build/plan/load-profile.ts'
import { planLoaded } from '../../../build/plan/plan.ts'
import { hashAhead } from '../../../build/prove/packages/package-hash.ts'
import { installedFor } from '../../../build/prove/packages/packages.ts'
import { orderedProfiles } from '../../matrix/columns.ts'
import { readDist } from '../../open-dist.ts'
import { type Catalogue, variantsOf } from './catalogue.ts'
import type { Choice } from './choice.ts'
import { type Figures, figureOf, noFigures, partName, withAccount } from './figures.ts'
import { profileWith } from './verdict.ts'

/** The figures of the builds that exist: of the profile itself, then of our profiles. */
export function figuresOfBuilds({ profile }: Pick<Catalogue, 'profile'>): Figures {
  const names = [profile.name, ...orderedProfiles().filter((name) => name !== profile.name)]
  return names.reduce((figures, name) => {
    const folder = distDir(name)
    if (!existsSync(join(folder, ACCOUNT))) return figures
    return withAccount(figures, readDist(folder).account, `the build in ${shown(folder, workDir)}`, name === profile.name)
  }, noFigures)
}

/**
 * Bundles the choice, and those of our profiles that have a feature without a figure. Resolves to the figures with what was measured.
 * @throws SvcError the errors of planning and bundling
 */
export async function measure(
  catalogue: Catalogue,
  figures: Figures,
  choice: Choice,
  step: (text: string) => void = () => undefined,
): Promise<Figures> {
  step(`bundling ${catalogue.profile.name}`)
  const own = await accountNow(profileWith(catalogue, choice))
  let next = withAccount(figures, own, 'the bundle made now', true)
  for (const name of orderedProfiles()) {
    const { library, main } = await loadProfile(name)
    const lacking = Object.entries({ ...library.features, ...main?.features }).some(
      ([id, value]) => value !== false && lacksFigure(catalogue, next, id),
    )
    if (!lacking) continue
    step(`bundling ${name}, for the features that no build has measured yet`)
    next = withAccount(next, await accountNow(await loadProfile(name)), `${name}, bundled now`, false)
  }
  return next
}

function lacksFigure({ known }: Catalogue, figures: Figures, id: string): boolean {
  const feature = known[id]
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
