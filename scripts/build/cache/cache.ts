/**
 * Keeps what a build has made and proven, under a hash of all that it was made from. Where nothing has changed, nothing is
 * made or proven again. In CI every proof is made anew, and so is that of a profile which lies outside of the project.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../account/account.ts'
import { type Bundle, unstamped } from '../bundle/bundle.ts'
import { standardProfiles } from '../plan/load-profile.ts'
import type { Plan } from '../plan/target-plan.ts'
import type { Proof } from '../prove/prove.ts'
import { cacheDir, isCi, readJson, writeJson } from './cache-files.ts'

/** What is kept of a build. */
export interface Kept {
  readonly bundles: readonly Bundle[]
  readonly proofs: readonly Proof[]
  readonly account: Account
}

interface Entry {
  readonly key: string
  readonly bundles: readonly Omit<Bundle, 'target'>[]
  readonly proofs: readonly Proof[]
  readonly account: Account
}

/** Whether proofs of a profile may be reused: those of ours may, since the key has every file that they are made of. */
export function isCacheable(nameOrPath: string): boolean {
  return !isCi() && standardProfiles().includes(nameOrPath)
}

/** Whether something was kept of a profile under a key, and so whether the sources have passed what is asked of them alone. */
export function isKept(profile: string, key: string): boolean {
  return readJson<Entry>(fileOf(profile))?.key === key
}

/** Whether anything was kept of a profile, under whatever key. */
export function hasKept(profile: string): boolean {
  return existsSync(fileOf(profile))
}

/** What was kept of a plan under a key. */
export function readKept({ profile, targets }: Plan, key: string): Kept | undefined {
  const entry = readJson<Entry>(fileOf(profile.name))
  if (entry?.key !== key || entry.bundles.length !== targets.length) return undefined
  const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
  const whole = entry.bundles.every(
    ({ text, sha256, parts }) =>
      sha256Of(unstamped(text) ?? '') === sha256 &&
      parts.every((part) => sha256Of(Buffer.from(part.base64, 'base64')) === part.sha256),
  )
  if (!whole) return undefined
  const { proofs, account } = entry
  return { bundles: entry.bundles.map((one, index) => ({ ...one, target: targets[index]! })), proofs, account }
}

/** Keeps what was made and proven. */
export function keep({ profile }: Plan, key: string, { bundles, proofs, account }: Kept): void {
  const entry: Entry = { key, bundles: bundles.map(({ target: _, ...rest }) => rest), proofs, account }
  writeJson(fileOf(profile.name), entry)
}

function fileOf(profile: string): string {
  return join(cacheDir, `${profile}.json`)
}
