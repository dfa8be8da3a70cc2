/** The executable of an earlier build, which a build of the same program keeps. */
import { existsSync, linkSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../account/account.ts'
import type { Bundle } from '../bundle/bundle.ts'
import { outputName } from '../generate/generate.ts'
import { EXECUTABLE } from '../paths.ts'
import { isDelivered, seal } from '../prove/dist.ts'
import type { Proof } from '../prove/prove.ts'

/** An executable that stays in its folder. */
export interface KeptExecutable {
  /** Its entry in `manifest.json`. */
  readonly manifest: Readonly<Record<string, unknown>>
  /** Puts it into the folder that takes the place of the old one. */
  link(unfinished: string): void
}

/**
 * The executable in a folder; undefined if there is none, if it is not the file that was proven, or if it has another
 * program than this build. Making it again takes longer than the whole build.
 */
export function keptExecutable(folder: string, bundles: readonly Bundle[]): KeptExecutable | undefined {
  const program = bundles.find(({ target: { form } }) => form === 'main')
  const file = join(folder, 'manifest.json')
  if (program === undefined || !existsSync(file)) return undefined
  const { svc: manifest } = JSON.parse(readFileSync(file, 'utf8')) as { svc?: Readonly<Record<string, unknown>> }
  // An executable has a hundred megabytes, so its hash comes last.
  if (manifest?.['bundleSha256'] !== program.sha256 || !isDelivered(folder, EXECUTABLE)) return undefined
  return { manifest, link: (unfinished) => linkSync(join(folder, EXECUTABLE), join(unfinished, EXECUTABLE)) }
}

/** Adds a row for the executable to the account. The executable contains the same inputs as the program. */
export function withExecutable(account: Account): Account {
  const rows = account.bundles.flatMap((one) => (one.form === 'main' ? [{ ...one, file: EXECUTABLE }] : []))
  return { ...account, bundles: [...account.bundles, ...rows] }
}

/** What a folder with an executable is sealed with. */
export interface SealedWith {
  readonly proofs: readonly Proof[]
  readonly bundles: readonly Pick<Bundle, 'target'>[]
  readonly owners: Readonly<Record<string, string>>
  readonly started: boolean
}

/**
 * Seals a folder with an executable. The proof of the executable is that of the program beside it, which it contains.
 */
export function sealWithExecutable(
  folder: string,
  profile: string,
  { proofs, bundles, owners, started }: SealedWith,
): void {
  const programs = bundles.flatMap(({ target }) => (target.form === 'main' ? outputName(target) : []))
  const executableProofs = proofs.flatMap((proof) =>
    programs.includes(proof.file) ? [{ ...proof, file: EXECUTABLE }] : [],
  )
  seal(folder, profile, [...proofs, ...executableProofs], { ...owners, [EXECUTABLE]: 'executable' }, started)
}
