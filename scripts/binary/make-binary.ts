/** Builds one executable file from a profile's program: Node, the bundle and the native addons. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../build/account/account.ts'
import { accountOf } from '../build/account/make-account.ts'
import { type Built, buildProfile } from '../build/build.ts'
import { type Bundle, bundle } from '../build/bundle/bundle.ts'
import { buildFail } from '../build/errors.ts'
import { generateTarget } from '../build/generate/generate.ts'
import { sealWithExecutable, withExecutable } from '../build/pack/kept-executable.ts'
import { deliveredBy, writeAccount } from '../build/pack/pack.ts'
import { buildDir, EXECUTABLE, shown } from '../build/paths.ts'
import type { Plan, TargetPlan } from '../build/plan/target-plan.ts'
import { sbomOf } from '../toolkit/sbom/sbom.ts'
import { type Blob, flagsOf, inject, makeBlob } from './blob.ts'
import { codeCacheFor } from './code-cache/code-cache.ts'
import { type Carried, nativeBinaries, sha256Of } from './native-binaries.ts'
import { copyNode, host, hostRuntime, pinnedNode, type Runtime, sign } from './node-runtime.ts'

/** A finished executable. */
export interface Executable {
  readonly file: string
  readonly bytes: number
  /** SHA-256 of the blob inside, the same for every build of the same sources. */
  readonly blobSha256: string
  readonly binaries: readonly Carried[]
  /** The build whose program the executable runs. */
  readonly built: Built
}

/**
 * Builds and proves a profile, and then writes `dist/<profile>/svc`.
 * @throws SvcError the errors of the build, and `ERR_BUILD_FAILED` if the profile has no program
 */
export async function makeBinary(nameOrPath: string): Promise<Executable> {
  const built = await buildProfile(nameOrPath)
  const { plan, bundles, proofs, account, folder } = built
  const target = programOf(plan)
  const whole = withExecutable(account!)
  const runtime = hostRuntime()
  const program = bundles.find(({ target: { form } }) => form === 'main')!
  const { blob, binaries, hasCache } = await blobIn(
    join(buildDir(plan.profile.name), 'executable'),
    plan,
    program,
    whole,
    runtime,
  )

  const file = join(folder!, EXECUTABLE)
  const unfinished = `${file}.unfinished`
  copyNode(runtime.file, unfinished)
  inject(unfinished, blob.file, host)
  sign(unfinished)
  renameSync(unfinished, file)
  const blobSha256 = createHash('sha256').update(blob.bytes).digest('hex')
  addToManifest(join(folder!, 'manifest.json'), {
    ...target.manifest,
    bundleSha256: program.sha256,
    blobSha256,
    codeCache: hasCache ? 'carried' : 'none',
    runtime: { node: runtime.node, platform: host, sha256: sha256Of(runtime.file) },
    binaries: binaries.map(({ shown: row }) => row),
  })
  if (!readFileSync(file).includes(blob.bytes)) {
    throw buildFail('ERR_PROOF_DIST', { message: `${shown(file)} does not hold the blob that was made for it.` })
  }
  writeAccount(folder!, whole)
  sealWithExecutable(folder!, plan.profile.name, { proofs, bundles, owners: deliveredBy(bundles), started: true })
  return { file, bytes: statSync(file).size, blobSha256, binaries, built }
}

/**
 * Creates only the blob of a profile, in each of `folders`. The blob must be the same in every folder and on every
 * machine.
 */
export async function blobsOf(plan: Plan, folders: readonly string[]): Promise<Blob[]> {
  const one = await bundle(generateTarget(plan, programOf(plan)))
  const account = withExecutable(await accountOf(plan, [one]))
  const contents: Content[] = []
  for (const folder of folders) contents.push(await blobIn(folder, plan, one, account, hostRuntime()))
  return contents.map(({ blob }) => blob)
}

/** The contents of an executable. */
export interface Content {
  readonly blob: Blob
  readonly binaries: readonly Carried[]
  readonly hasCache: boolean
  /** The bill of materials inside the executable: the same as the output of `svc-build sbom --file svc`. */
  readonly sbom: string
}

/**
 * Creates the contents of an executable. A code cache is specific to a CPU architecture, so an executable for another
 * platform has none.
 */
export async function blobIn(
  folder: string,
  plan: Plan,
  { target, text }: Bundle,
  account: Account,
  { platform, file, node, abi, find }: Runtime,
): Promise<Content> {
  const binaries = nativeBinaries(target, platform, abi, find)
  const carried = {
    node: { version: node, sha256: sha256Of(file) },
    binaries: binaries.map(({ shown: row }) => row),
  }
  const sbom = JSON.stringify(sbomOf(account, EXECUTABLE, carried), null, 2)
  const cache = platform === host ? await codeCacheFor(plan.profile.name, target, text, { file, abi }) : undefined
  const blob = makeBlob(folder, pinnedNode(), { text, cache }, binaries, flagsOf(target), sbom)
  return { blob, binaries, hasCache: cache !== undefined, sbom }
}

/**
 * The program of a profile.
 * @throws SvcError `ERR_BUILD_FAILED` if the profile has no program
 */
export function programOf({ profile, targets }: Plan): TargetPlan {
  const target = targets.find(({ form }) => form === 'main')
  if (target !== undefined) return target
  throw buildFail('ERR_BUILD_FAILED', {
    message: `Profile ${profile.name} has no program, so there is no executable of it.`,
    hint: 'A profile with `main` has one, such as server-full or minimal.',
  })
}

function addToManifest(file: string, entry: Readonly<Record<string, unknown>>): void {
  const manifests = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}
  writeFileSync(file, `${JSON.stringify({ ...manifests, svc: entry }, null, 2)}\n`)
}
