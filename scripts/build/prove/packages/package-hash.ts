/** Hashes of installed packages, cached until a file of the package changes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { loaderArgs, packagesDir } from '../../paths.ts'
import { cacheDir, isCi, readJson, writeJson } from '../../record/sealed-file.ts'
import { counts } from './pins.ts'
import { stampOf, treeHash } from './tree-hash.ts'
import { isUnread } from './unread.ts'

/** An installed package. */
export interface Installed {
  /** Path in the lock file, such as `node_modules/pino`. */
  readonly place: string
  /** Absolute path of the package's folder. */
  readonly from: string
}

interface Stamp {
  readonly stamp: string
  readonly sha256: string
}

const file = join(cacheDir, 'packages.json')
const hashes = new Map<string, string>()

/** Whether a folder is in this project's packages, and not beside a user's profile. */
export function isInside(folder: string): boolean {
  return folder.startsWith(`${packagesDir}/`)
}

/** The hash of an installed package. */
export function packageHash(one: Installed): string {
  if (!hashes.has(one.from)) remember(readHashes([one]))
  return hashes.get(one.from)!
}

/** Starting a thread takes longer than reading this number of packages. */
const FEW = 8

let ahead: Promise<unknown> = Promise.resolve()

/**
 * Computes hashes for {@link packageHash} in another thread if that takes long: without a cache, half a gigabyte is
 * read, possibly from a disk. {@link packageHash} itself reads the packages that the thread did not finish.
 */
export function hashAhead(packages: readonly Installed[]): Promise<unknown> {
  ahead = ahead.then(async () => {
    const wanted = packages.filter(({ from }) => !hashes.has(from))
    if (wanted.length > FEW && (isCi() || !existsSync(file))) remember(await inThread(wanted).catch(() => []))
  })
  return ahead
}

type Hashes = readonly (readonly [from: string, hash: string])[]

function remember(entries: Hashes): void {
  for (const [from, hash] of entries) hashes.set(from, hash)
}

function inThread(packages: readonly Installed[]): Promise<Hashes> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./package-hash-thread.ts', import.meta.url), {
      workerData: packages,
      execArgv: [...loaderArgs, '--disable-warning=ExperimentalWarning'],
    })
    thread.once('message', resolve).once('error', reject)
    thread.once('exit', () => reject(new Error('The thread ended without an answer.')))
  })
}

/**
 * Hashes packages, using the cached hash if no file of the package changed. A change is another inode, size,
 * modification time or change time; the change time is set by the system, and a program cannot set it back.
 */
export function readHashes(packages: readonly Installed[]): Hashes {
  const before = (isCi() ? undefined : readJson<Record<string, Stamp>>(file)) ?? {}
  const stamps = { ...before }
  const entries = packages.map(({ place, from }) => {
    const counted = (name: string): boolean => (isInside(from) ? counts(place, name) : !isUnread(name))
    if (!existsSync(from)) return [from, 'not installed'] as const
    if (isCi()) return [from, treeHash(from, counted)] as const
    const stamp = stampOf(from, counted)
    if (stamps[from]?.stamp !== stamp) stamps[from] = { stamp, sha256: treeHash(from, counted) }
    return [from, stamps[from].sha256] as const
  })
  if (packages.some(({ from }) => stamps[from] !== before[from])) writeJson(file, stamps)
  return entries
}
