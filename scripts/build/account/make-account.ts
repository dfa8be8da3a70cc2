/** Makes the account of a build. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Bundle } from '../bundle/bundle.ts'
import { outputName } from '../generate/generate.ts'
import { fileOfInput, homeFrom } from '../paths.ts'
import type { Plan } from '../plan/target-plan.ts'
import { type Attributed, assetsOf, attribute, isGenerated } from '../prove/attribute.ts'
import { outsideImports } from '../prove/checks.ts'
import { formsIn } from '../prove/forms/uses.ts'
import { placeOfExternal } from '../prove/packages/identity.ts'
import { lockedPackages } from '../prove/packages/pins.ts'
import type { Account, BundleAccount, InputAccount } from './account.ts'
import { featuresOf } from './features.ts'
import { packageAt } from './packages.ts'

/** Creates the account of the bundles of one plan. */
export async function accountOf(plan: Plan, bundles: readonly Bundle[]): Promise<Account> {
  const bundleAccounts = await Promise.all(bundles.map((bundle) => bundleAccount(plan, bundle)))
  const home = homeFrom(plan.profile.base)
  const places = bundleAccounts.flatMap(({ inputs, assets, externals }) => [
    ...Object.values({ ...inputs, ...assets }).flatMap((input) => input.package ?? []),
    ...externals,
  ])
  const locked = lockedPackages()
  const packages = [...new Set(places)]
    .sort()
    .map((place) => [place, packageAt(place, plan.profile.base, locked)] as const)
  return {
    version: 1,
    toolkit: plan.targets[0]!.manifest.version,
    profile: plan.profile.name,
    summary: plan.profile.summary,
    ...(home !== undefined && Object.keys(plan.profile.ownFeatures).length > 0 && { home }),
    bundles: bundleAccounts,
    packages: Object.fromEntries(packages.flatMap(([place, one]) => (one === undefined ? [] : [[place, one]]))),
    features: await featuresOf(plan),
  }
}

async function bundleAccount(plan: Plan, bundle: Bundle): Promise<BundleAccount> {
  const { target, metafile } = bundle
  const attributed = attribute(plan, metafile)
  const files = new Map(attributed.map(({ input, file }) => [input, file]))
  const nameOf = (path: string): string =>
    isGenerated(path) && !path.startsWith('builtin:') ? `generated/${basename(path)}` : (files.get(path) ?? path)
  const toRow = ({ input, bytes, owner, package: from }: Attributed): InputAccount => {
    const imports = metafile.inputs[input]?.imports ?? []
    const file = fileOfInput(input)
    return {
      bytes,
      owner,
      ...(file !== undefined && owner !== 'registry' && { sha256: sha256(readFileSync(file)) }),
      ...(from !== undefined && { package: from.place }),
      imports: [...new Set(imports.map(({ path }) => nameOf(path)))].filter((name) => name !== '<runtime>').sort(),
    }
  }
  const used = outsideImports(bundle, await formsIn(plan, bundle))
  return {
    file: outputName(target),
    form: target.form,
    platform: target.platform,
    bytes: bundle.bytes,
    gzipBytes: bundle.gzipBytes,
    gzipTotal: bundle.gzipTotal,
    sha256: bundle.sha256,
    parts: Object.fromEntries(
      bundle.parts.map(({ name, bytes, gzipBytes, sha256: hash, later }) => [
        name,
        { bytes, gzipBytes, sha256: hash, later },
      ]),
    ),
    entry: 'generated/entry.ts',
    inputs: sorted(attributed.map((one) => [nameOf(one.input), toRow(one)])),
    assets: sorted(assetsOf(plan, target).map((one) => [one.file, toRow(one)])),
    externals: used.packages.map((name) => placeOfExternal(name, plan.profile.base)),
    builtins: used.builtins,
  }
}

function sorted<V>(rows: readonly (readonly [string, V])[]): Record<string, V> {
  return Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
