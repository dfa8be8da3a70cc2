/** Checks the folder of durable state: files must last there, and no other user may write there. */
import { lstatSync, realpathSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { settingFail } from '../../../core/kernel/settings/paths.ts'
import { STORAGE_FULL } from '../../../core/kernel/storage-full.ts'
import { fail } from '../errors.ts'
import { makeFolder } from './durable-files.ts'
import { asOwner, foreignOwner } from './owner.ts'
import { isNoSpace } from './sqlite-driver.ts'

/** Trees of the system whose files are not stored, or are lost at the next start of the machine. */
const OF_SYSTEM = /^\/(?:proc|sys|dev)(?:\/|$)(?!shm(?:\/|$))/

/**
 * Refuses a path that cannot be the folder of state: an invalid path, a file, a broken link, a tree of the system, or a
 * folder that other users may write to, since they could replace the store. A folder that does not exist yet is made
 * later.
 * @throws SvcError `ERR_SETTING_UNUSABLE` with the path, the reason and what to do
 */
export function checkStorageFolder(dir: string): void {
  if (dir.includes('\0')) throw refused(JSON.stringify(dir), 'there is a NUL in it', 'Write the path of a folder.')
  const entry = explained(dir, () => nearest(resolve(dir)))
  if (!entry.isFolder)
    throw refused(dir, `${entry.path} is ${entry.what}`, 'Name a folder, or a path where one can be made.')
  if (OF_SYSTEM.test(realpathSync(entry.path)))
    throw refused(dir, 'it is in a tree of the system, where no files last', ELSEWHERE)
  // Only the folder itself is checked; the folders above it are the system's.
  if (entry.path !== resolve(dir) || (entry.mode & 0o022) === 0) return
  const mode = (entry.mode & 0o7777).toString(8)
  throw refused(
    dir,
    `it has mode 0${mode}: others may write there`,
    `chmod go-w ${dir}, or set storage.dir to a folder that this user alone may write to.`,
  )
}

/** Room that a start needs: a commit of a few pushes. */
const ROOM_BYTES = 65_536

/**
 * Checks the folder, makes it with mode 0700 if it is missing, and writes and removes a file there.
 * @throws SvcError `ERR_SETTING_UNUSABLE`; `receipt_store_unavailable` if there is no room, which may pass
 */
export function prepareStorageFolder(dir: string): void {
  checkStorageFolder(dir)
  explained(dir, () => {
    makeFolder(dir)
    probe(dir)
  })
}

/**
 * Throws if a commit of a few pushes has no room in a folder, or the folder cannot be written for another reason.
 * @throws SvcError as `prepareStorageFolder` does
 */
export function requireRoom(dir: string): void {
  explained(dir, () => probe(dir))
}

/** Whether a commit of a few pushes has room in a folder. */
export function hasRoom(dir: string): boolean {
  try {
    probe(dir)
    return true
  } catch (error) {
    return !isNoSpace(error)
  }
}

function probe(dir: string): void {
  const file = join(dir, `.svc-${process.pid}`)
  try {
    writeFileSync(file, Buffer.alloc(ROOM_BYTES), { mode: 0o600 })
  } finally {
    rmSync(file, { force: true })
  }
}

interface FileEntry {
  /** The path itself, or the nearest path above it that exists. */
  readonly path: string
  readonly isFolder: boolean
  readonly what: string
  readonly mode: number
}

function nearest(path: string): FileEntry {
  for (let at = path; ; at = dirname(at)) {
    const stats = followed(at)
    if (stats !== undefined)
      return {
        path: at,
        isFolder: stats.isDirectory(),
        what: stats.isFile() ? 'a file' : 'no folder',
        mode: stats.mode,
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

/** What is at a path; undefined if nothing is there, also if a part of the path is a file. */
function followed(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

const ELSEWHERE = 'Set storage.dir to a folder that this user may write to.'

/** Reasons and hints for the errors of the system (errno(3)). */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ['this user may not write there', `chown it, or set storage.dir to a folder of this user.`],
  EPERM: ['nothing may be written there', ELSEWHERE],
  EROFS: ['its file system is mounted read-only', `Mount it for writing, or set storage.dir elsewhere.`],
  ENOENT: ['nothing can be made there', ELSEWHERE],
  ENAMETOOLONG: ['the path is too long for the system', 'Set storage.dir to a shorter path.'],
  ELOOP: ['its symbolic links lead in a circle', 'Set storage.dir to a folder.'],
}

/** Runs work in a folder. The errors of the system are thrown in words, with the path. */
export function explained<T>(dir: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = reasons[code]
    const owner = code === 'EACCES' ? foreignOwner(dir) : undefined
    if (owner !== undefined)
      throw refused(
        dir,
        `this user may not write there, and it belongs to the user ${owner.name}`,
        `${asOwner(owner)}, or set storage.dir to a folder of this user.`,
        error,
      )
    if (reason !== undefined) throw refused(dir, ...reason, error)
    if (!isNoSpace(error)) throw error
    throw fail('receipt_store_unavailable', {
      message: `There is no room in storage.dir ${dir}: the disk or the quota is full.`,
      hint: `Make room (df ${dir}); nothing was changed.`,
      details: { reason: STORAGE_FULL },
      cause: error,
    })
  }
}

function refused(dir: string, reason: string, hint: string, cause?: unknown): Error {
  return settingFail('ERR_SETTING_UNUSABLE', { message: `storage.dir ${dir} cannot be used: ${reason}.`, hint, cause })
}
