/** Checks the path, the folder and the lock of the socket. */
import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { socketFail } from './errors.ts'
import type { SystemCalls } from './native.ts'

/** Bytes of `sun_path` without its final zero: Linux (unix(7)) and macOS (unix(4)). */
const MAX_PATH_BYTES = { linux: 107, darwin: 103 } as const

/** Throws `ERR_SOCKET_PATH` if the system would truncate the path, or if the path is another kind of file. */
export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path)
  const most = process.platform === 'darwin' ? MAX_PATH_BYTES.darwin : MAX_PATH_BYTES.linux
  if (bytes > most) {
    throw socketFail('ERR_SOCKET_PATH', {
      message: `The path of the socket has ${bytes} bytes, and a socket's has at most ${most} here: ${path}`,
    })
  }
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isSocket())
    throw socketFail('ERR_SOCKET_PATH', { message: `Something that is not a socket stands at ${path}.` })
}

/** Creates the folder if it is missing. Throws `ERR_SOCKET_DIRECTORY` if other users have access to it. */
export function prepareFolder(path: string): void {
  const folder = dirname(path)
  makeFolders(folder)
  checkFolder(folder)
}

/**
 * Throws `ERR_SOCKET_DIRECTORY` if other users have access to a folder, or if the folder is missing and cannot be made.
 */
export function checkSocketFolder(path: string): void {
  const folder = dirname(path)
  if (existsSync(folder)) {
    checkFolder(folder)
    return
  }
  let above = dirname(folder)
  while (!existsSync(above)) above = dirname(above)
  try {
    accessSync(above, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw notMade(folder, cause)
  }
}

function checkFolder(folder: string): void {
  const stats = lstatSync(folder)
  const mode = stats.mode & 0o7777
  const wrong = stats.isSymbolicLink()
    ? 'is a link'
    : !stats.isDirectory()
      ? 'is no folder'
      : stats.uid !== process.getuid?.()
        ? `belongs to user ${stats.uid}`
        : // A folder inside one with the set-group-ID bit inherits the bit, which gives no access.
          (mode & ~0o2000) !== 0o700
          ? `has mode 0${mode.toString(8)}`
          : undefined
  if (wrong !== undefined) throw socketFail('ERR_SOCKET_DIRECTORY', { message: `The folder ${folder} ${wrong}.` })
}

/**
 * Creates folders one by one: Node's recursive way never ends in an existing folder that refuses new entries, such as
 * /proc.
 */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return
    throw notMade(folder, cause)
  }
}

function notMade(folder: string, cause: unknown): Error {
  const { message } = cause as Error
  return socketFail('ERR_SOCKET_DIRECTORY', { message: `The folder ${folder} cannot be made: ${message}.`, cause })
}

/** Whether a service holds the lock of a socket. */
export function isSocketLocked(path: string, calls: Pick<SystemCalls, 'tryLock'>): boolean {
  if (!existsSync(`${path}.lock`)) return false
  const fd = openSync(`${path}.lock`, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    return !calls.tryLock(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Takes the lock of a socket for the life of the process. Returns the function that releases it. Throws
 * `ERR_SOCKET_LOCKED`.
 */
export function lockSocket(path: string, calls: Pick<SystemCalls, 'tryLock'>): () => void {
  const fd = openSync(`${path}.lock`, constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW, 0o600)
  if (calls.tryLock(fd)) return () => closeSync(fd)
  closeSync(fd)
  throw socketFail('ERR_SOCKET_LOCKED', { message: `Another service holds ${path}.` })
}

/**
 * A free name in the same folder that is not longer than the name of the socket, so that a path of full length works.
 */
export function temporaryPath(path: string): string {
  const length = Math.min(basename(path).length, 12)
  for (let tries = 0; tries < 100; tries++) {
    const candidate = join(dirname(path), randomBytes(length).toString('hex').slice(0, length))
    if (candidate !== path && !existsSync(candidate)) return candidate
  }
  throw socketFail('ERR_SOCKET_PATH', { message: `There is no free name beside ${path}.` })
}
