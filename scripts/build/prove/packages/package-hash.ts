/** The hashes of installed packages, read again only when they have to be. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { cacheDir, isCi, readJson, writeJson } from '../../cache/cache-files.ts'
import { loaderArgs, packagesDir } from '../../paths.ts'
import { counts } from './pins.ts'
import { filesIn, treeHash } from './tree-hash.ts'
import { isUnread } from './unread.ts'

/** A package where it is installed. */
export interface Installed {
  /** As the lock file names it, such as `node_modules/pino`. */
  readonly place: string
  /** Its folder. */
  readonly from: string
}

interface Stamp {
  readonly stamp: string
  readonly sha256: string
}

const file = join(cacheDir, 'packages.json')
const hashes = new Map<string, string>()

/** A package of the lock file where this project has it. */
export function installedAt(place: string): Installed {
  return { place, from: join(packagesDir, '..', place) }
}

/** Whether a folder is that of a package of the lock file, and not of one beside a user's profile. */
export function isInside(folder: string): boolean {
  return folder.startsWith(`${packagesDir}/`)
}

/** The hash of an installed package. */
export function packageHash(one: Installed): string {
  if (!hashes.has(one.from)) remember(readHashes([one]))
  return hashes.get(one.from)!
}

/** So few packages are read before a thread has started. */
const FEW = 8

let ahead: Promise<unknown> = Promise.resolve()

/**
 * Lets another thread read what {@link packageHash} will be asked for, where that takes long: half a gigabyte where nothing is
 * kept, from a disk perhaps. What it does not manage is read when it is asked for.
 */
export function hashAhead(packages: readonly Installed[]): Promise<unknown> {
  ahead = ahead.then(async () => {
    const wanted = packages.filter(({ from }) => !hashes.has(from))
    if (wanted.length > FEW && (isCi() || !existsSync(file))) remember(await inThread(wanted).catch(() => []))
  })
  return ahead
}

type Hashes = readonly (readonly [from: string, hash: string])[]

function remember(found: Hashes): void {
  for (const [from, hash] of found) hashes.set(from, hash)
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
 * Reads packages, where they are not as they were: only when some file of one is another one, or another size, or was changed at
 * another time, for the time of a file's last change is the system's own and cannot be set back by a program.
 */
export function readHashes(packages: readonly Installed[]): Hashes {
  const before = (isCi() ? undefined : readJson<Record<string, Stamp>>(file)) ?? {}
  const known = { ...before }
  const found = packages.map(({ place, from }) => {
    const counted = (name: string): boolean => (isInside(from) ? counts(place, name) : !isUnread(name))
    if (!existsSync(from)) return [from, 'not installed'] as const
    if (isCi()) return [from, treeHash(from, counted)] as const
    const stamp = stampOf(from, counted)
    if (known[from]?.stamp !== stamp) known[from] = { stamp, sha256: treeHash(from, counted) }
    return [from, known[from].sha256] as const
  })
  if (packages.some(({ from }) => known[from] !== before[from])) writeJson(file, known)
  return found
}

function stampOf(from: string, counted: (name: string) => boolean): string {
  const stamp = createHash('sha256')
  for (const name of filesIn(from, '').filter(counted).sort()) {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(join(from, name), { bigint: true })
    stamp.update(`${name} ${ino} ${size} ${mtimeNs} ${ctimeNs}\n`)
  }
  return stamp.digest('hex')
}
