/** Stage 5, pack: writes the delivered files of a build. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT, type Account } from '../account/account.ts'
import type { Bundle } from '../bundle/bundle.ts'
import { outputName } from '../generate/generate.ts'
import { toProgramFile } from '../generate/program-file.ts'
import { distDir } from '../paths.ts'
import type { Plan } from '../plan/target-plan.ts'
import { assetFiles } from '../plan/target-plan.ts'
import { seal } from '../prove/dist.ts'
import type { Proof } from '../prove/prove.ts'
import { replaceFolder } from '../write-folder.ts'
import { deliveredTypes, typesName } from './delivered-types.ts'
import { keptExecutable, sealWithExecutable, withExecutable } from './kept-executable.ts'

/** The results of a build. */
export interface Delivery {
  readonly bundles: readonly Bundle[]
  readonly proofs: readonly Proof[]
  readonly account: Account
  /** Whether each bundle was started once before. */
  readonly started: boolean
}

/**
 * Writes the build to `dist/<profile>/`, removes all other files there but an executable with the same program, and
 * returns the path of that folder.
 * @throws SvcError `ERR_PROOF_DIST` if the written files differ from the proven ones
 */
export function pack(plan: Plan, { bundles, proofs, account, started }: Delivery): string {
  const folder = distDir(plan.profile.name)
  const files = codeOf(bundles)
  Object.assign(files, deliveredTypes(plan))
  const manifests = Object.fromEntries(
    bundles.map(({ target, sha256 }) => [outputName(target), { ...target.manifest, bundleSha256: sha256 }]),
  )
  const executable = keptExecutable(folder, bundles)
  const all = executable === undefined ? manifests : { ...manifests, svc: executable.manifest }
  files['manifest.json'] = `${JSON.stringify(all, null, 2)}\n`
  files[ACCOUNT] = accountText(executable === undefined ? account : withExecutable(account))
  const owners = deliveredBy(bundles)
  replaceFolder(folder, files, (unfinished) => {
    executable?.link(unfinished)
    if (executable === undefined) seal(unfinished, plan.profile.name, proofs, owners, started)
    else sealWithExecutable(unfinished, plan.profile.name, { proofs, bundles, owners, started })
  })
  return folder
}

/** The files that run: bundles, their parts and assets, by name. */
export function codeOf(bundles: readonly Bundle[]): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = {}
  for (const { target, text, parts } of bundles) {
    files[outputName(target)] = target.form === 'main' ? toProgramFile(text) : text
    for (const { name, base64 } of parts) files[name] = Buffer.from(base64, 'base64')
    for (const [name, source] of Object.entries(assetFiles(target))) files[name] = readFileSync(source)
  }
  return files
}

/** Writes the account file of a folder. */
export function writeAccount(folder: string, account: Account): void {
  writeFileSync(join(folder, ACCOUNT), accountText(account))
}

function accountText(account: Account): string {
  return `${JSON.stringify(account)}\n`
}

/** The purpose of each file of a build, by file name. */
export function deliveredBy(bundles: readonly Pick<Bundle, 'target' | 'parts'>[]): Record<string, string> {
  const owners: Record<string, string> = { 'manifest.json': 'manifest', [ACCOUNT]: 'account' }
  for (const { target, parts } of bundles) {
    owners[outputName(target)] = 'bundle'
    if (target.form !== 'main') owners[typesName(target)] = `types of ${outputName(target)}`
    for (const { name } of parts) owners[name] = `part of ${outputName(target)}`
    for (const { id, feature } of target.features) {
      for (const name of Object.keys(feature.assets ?? {})) owners[name] = `feature:${id}`
    }
  }
  return owners
}
