/** The folder of durable state: a place for files that last, and one where nobody else may put anything. */
import { lstatSync, realpathSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { settingFail } from '../../../core/settings/paths.ts'
import { fail } from '../errors.ts'
import { makeFolder } from './durable-files.ts'

/** Trees of the system in which files are no files, or are gone with the next start of the machine. */
const OF_SYSTEM = /^\/(?:proc|sys|dev)(?:\/|$)(?!shm(?:\/|$))/

/**
 * Refuses what can be no folder of state: a path that is none, a file, a link that leads nowhere, a tree of the system, a
 * folder that others may write to, who could put a store of their own in the place of ours. One that is not there yet is
 * made later.
 * @throws SvcError `ERR_SETTING_UNUSABLE` with the path, the reason and what to do
 */
export function checkStorageFolder(dir: string): void {
  if (dir.includes('\0')) throw refused(JSON.stringify(dir), 'there is a NUL in it', 'Write the path of a folder.')
  const found = explained(dir, () => nearest(resolve(dir)))
  if (!found.isFolder)
    throw refused(dir, `${found.path} is ${found.what}`, 'Name a folder, or a path where one can be made.')
  if (OF_SYSTEM.test(realpathSync(found.path)))
    throw refused(dir, 'it is in a tree of the system, where no files last', ELSEWHERE)
  // The folder itself; those above it are for the system to keep.
  if (found.path !== resolve(dir) || (found.mode & 0o022) === 0) return
  const mode = (found.mode & 0o7777).toString(8)
  throw refused(
    dir,
    `it has mode 0${mode}: others may write there`,
    `chmod go-w ${dir}, or set storage.dir to a folder that this user alone may write to.`,
  )
}

/** So much room there has to be for a start: a commit of a few pushes. */
const ROOM_BYTES = 65_536

/**
 * The same, makes the folder where it is missing, mode 0700, and writes a file there and removes it.
 * @throws SvcError `ERR_SETTING_UNUSABLE`; `receipt_store_unavailable` where there is no room, which passes
 */
export function prepareStorageFolder(dir: string): void {
  checkStorageFolder(dir)
  const probe = join(dir, `.svc-${process.pid}`)
  explained(dir, () => {
    makeFolder(dir)
    try {
      writeFileSync(probe, Buffer.alloc(ROOM_BYTES), { mode: 0o600 })
    } finally {
      rmSync(probe, { force: true })
    }
  })
}

interface Found {
  /** The path itself, or the nearest above it where something is. */
  readonly path: string
  readonly isFolder: boolean
  readonly what: string
  readonly mode: number
}

function nearest(path: string): Found {
  for (let at = path; ; at = dirname(at)) {
    const found = followed(at)
    if (found !== undefined)
      return {
        path: at,
        isFolder: found.isDirectory(),
        what: found.isFile() ? 'a file' : 'no folder',
        mode: found.mode,
      }
    if (isLink(at)) return { path: at, isFolder: false, what: 'a symbolic link to where nothing is', mode: 0 }
    if (at === dirname(at)) return { path: at, isFolder: true, what: '', mode: 0 }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** What is at a path; undefined where nothing is, also because a part of the path is a file. */
function followed(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

const ELSEWHERE = 'Set storage.dir to a folder that this user may write to.'

/** What the system says of a folder, in words (errno(3)). */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ['this user may not write there', `chown it, or set storage.dir to a folder of this user.`],
  EPERM: ['nothing may be written there', ELSEWHERE],
  EROFS: ['its file system is mounted read-only', `Mount it for writing, or set storage.dir elsewhere.`],
  ENOENT: ['nothing can be made there', ELSEWHERE],
  ENAMETOOLONG: ['the path is too long for the system', 'Set storage.dir to a shorter path.'],
  ELOOP: ['its symbolic links lead in a circle', 'Set storage.dir to a folder.'],
}

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT']

function explained<T>(dir: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const known = reasons[code]
    if (known !== undefined) throw refused(dir, ...known, error)
    if (!FULL.includes(code)) throw error
    throw fail('receipt_store_unavailable', {
      message: `There is no room in storage.dir ${dir}: the disk or the quota is full.`,
      hint: `Make room (df ${dir}), then start again; nothing was changed.`,
      cause: error,
    })
  }
}

function refused(dir: string, reason: string, hint: string, cause?: unknown): Error {
  return settingFail('ERR_SETTING_UNUSABLE', { message: `storage.dir ${dir} cannot be used: ${reason}.`, hint, cause })
}
