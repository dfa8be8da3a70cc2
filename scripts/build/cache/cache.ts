/**
 * Keeps what a build has made and proven, under a hash of all that it was made from. Where nothing has changed, nothing is
 * made or proven again. In CI every proof is made anew, and so is that of a profile which lies outside of the project.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Awaitable } from '../../../core/awaitable.ts'
import type { Account } from '../account/account.ts'
import { type Bundle, unstamped } from '../bundle/bundle.ts'
import { root } from '../paths.ts'
import { standardProfiles } from '../plan/load-profile.ts'
import type { Plan } from '../plan/target-plan.ts'
import { hashAhead, installedAt, packageHash } from '../prove/packages/package-hash.ts'
import { lockFile, pins } from '../prove/packages/pins.ts'
import { treeHash } from '../prove/packages/tree-hash.ts'
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

/** What {@link inputsKey} hashes besides the files of the project. */
export interface Surroundings {
  /** The hash of each package that is pinned, by place. */
  readonly packages: Readonly<Record<string, string>>
  /** The Node that builds, where it runs, and what puts another program in the place of esbuild. */
  readonly tools: readonly unknown[]
}

async function surroundings(): Promise<Surroundings> {
  const { execPath, versions, platform, arch } = process
  const pinned = Object.keys(pins()).map(installedAt)
  await hashAhead(pinned)
  return {
    packages: Object.fromEntries(pinned.map((one) => [one.place, packageHash(one)])),
    tools: [execPath, versions, platform, arch, process.env['ESBUILD_BINARY_PATH'] ?? null],
  }
}

/**
 * The hash of everything that a proof of one of our profiles depends on; `at` is the folder of the project, which is read at
 * once, since it may be edited while a build goes on.
 */
export async function inputsKey(at: string = root, around: Awaitable<Surroundings> = surroundings()): Promise<string> {
  const hash = createHash('sha256')
  for (const name of ['core', 'plugins', 'profiles', 'scripts']) hash.update(`${name} ${treeHash(join(at, name))}\n`)
  for (const name of ['openapi.json', 'package.json', basename(lockFile), 'package-trees.json']) {
    hash.update(
      `${name} ${createHash('sha256')
        .update(readFileSync(join(at, name)))
        .digest('hex')}\n`,
    )
  }
  const { packages, tools } = await around
  hash.update(JSON.stringify([packages, tools]))
  return hash.digest('hex')
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
