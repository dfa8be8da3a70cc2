/** The hash of everything that the bundles and the proofs of our profiles follow from. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Awaitable } from '../../../core/awaitable.ts'
import { root } from '../paths.ts'
import { hashAhead, installedAt, packageHash } from '../prove/packages/package-hash.ts'
import { lockFile, pins } from '../prove/packages/pins.ts'
import { treeHash } from '../prove/packages/tree-hash.ts'

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
 * The hash of everything that a proof of one of our profiles depends on. The files of the project, in `at`, are read before
 * anything is awaited, because they may be edited during a build.
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
