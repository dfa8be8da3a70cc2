/**
 * Builds the executable of a profile's program for a given platform. An executable for another platform is not run
 * here, and only macOS can sign executables for macOS.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildProfile } from '../../build/build.ts'
import { buildFail } from '../../build/errors.ts'
import { withExecutable } from '../../build/pack/kept-executable.ts'
import { buildDir, distDir, shown } from '../../build/paths.ts'
import { version } from '../../build/version.ts'
import { inject } from '../blob.ts'
import { blobIn, type Executable, programOf } from '../make-binary.ts'
import { sha256Of } from '../native-binaries.ts'
import { copyNode, sign } from '../node-runtime.ts'
import { targetRuntime } from './target-runtime.ts'

/**
 * Builds and proves a profile, and then writes `dist/executables/svc-<profile>-<version>-<target>`, its bill of
 * materials beside it, and its line in `SHA256SUMS`.
 * @throws SvcError the errors of the build, and `ERR_BUILD_FAILED` for an unknown target
 */
export async function makeBinaryFor(nameOrPath: string, target: string): Promise<Executable> {
  const runtime = targetRuntime(target)
  const built = await buildProfile(nameOrPath)
  const { plan, bundles, account } = built
  programOf(plan)
  const program = bundles.find(({ target: { form } }) => form === 'main')!
  const folder = join(buildDir(plan.profile.name), `executable-${target}`)
  const { blob, binaries, sbom } = await blobIn(folder, plan, program, withExecutable(account!), runtime)
  const name = `svc-${plan.profile.name}-${version}-${target}`
  const file = join(distDir('executables'), runtime.platform.startsWith('win32') ? `${name}.exe` : name)
  mkdirSync(distDir('executables'), { recursive: true })
  const unfinished = `${file}.unfinished`
  copyNode(runtime.file, unfinished, runtime.platform)
  inject(unfinished, blob.file, runtime.platform)
  sign(unfinished, runtime.platform)
  if (!readFileSync(unfinished).includes(blob.bytes)) {
    throw buildFail('ERR_PROOF_DIST', { message: `${shown(file)} does not hold the blob that was made for it.` })
  }
  renameSync(unfinished, file)
  writeFileSync(`${file}.sbom.json`, `${sbom}\n`)
  addSum(file)
  const blobSha256 = createHash('sha256').update(blob.bytes).digest('hex')
  return { file, bytes: statSync(file).size, blobSha256, binaries, built }
}

/** Writes one line for each file, in the format of `sha256sum --check`. */
function addSum(file: string): void {
  const sums = join(file, '../SHA256SUMS')
  const before = existsSync(sums) ? readFileSync(sums, 'utf8').split('\n') : []
  const lines = [file, `${file}.sbom.json`].map((one) => `${sha256Of(one)}  ${basename(one)}`)
  const names = lines.map((line) => line.slice(64))
  const others = before.filter((line) => line !== '' && !names.includes(line.slice(64)))
  writeFileSync(sums, `${[...others, ...lines].sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join('\n')}\n`)
}
