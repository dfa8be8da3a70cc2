/**
 * Caches the bundles, proofs and account of a build under a hash of all its inputs. A build with the same inputs reuses them.
 * In CI, and for profiles outside of the project, the cache is not used.
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
export interface CachedBuild {
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

/** Whether results of a profile may be cached: only for profiles of the project, because the key covers every file that they use. */
export function isCacheable(nameOrPath: string): boolean {
  return !isCi() && standardProfiles().includes(nameOrPath)
}

/** Whether the cache has an entry for a profile under a key. If so, the sources have passed the checks that need no bundle. */
export function hasEntry(profile: string, key: string): boolean {
  return readJson<Entry>(fileOf(profile))?.key === key
}

/** Whether the cache has an entry for a profile, under any key. */
export function hasAnyEntry(profile: string): boolean {
  return existsSync(fileOf(profile))
}

/** Returns the cached results of a plan; undefined if there are none under this key, or if a hash does not match. */
export function readCached({ profile, targets }: Plan, key: string): CachedBuild | undefined {
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

/** Caches the results of a build whose proof holds. */
export function keep({ profile }: Plan, key: string, { bundles, proofs, account }: CachedBuild): void {
  const entry: Entry = { key, bundles: bundles.map(({ target: _, ...rest }) => rest), proofs, account }
  writeJson(fileOf(profile.name), entry)
}

function fileOf(profile: string): string {
  return join(cacheDir, `${profile}.json`)
}
