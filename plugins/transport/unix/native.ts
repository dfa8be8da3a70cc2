/**
 * Three system calls that Node lacks: the user at the other end of a Unix socket, the path of a socket, and locks on
 * files.
 */
import { isExecutable, loadNativeAsset } from '../native-asset.ts'
import { socketFail } from './errors.ts'

/** The system calls behind the socket rules. */
export interface SystemCalls {
  /** User id of the process that connected, as the kernel recorded it. Throws if the call fails. */
  peerUid(fd: number): number
  /** Path at which an open Unix socket listens; undefined if the descriptor is no such socket. */
  boundPath(fd: number): string | undefined
  /** Takes an exclusive lock on an open file, until the file is closed; false if another process has the lock. */
  tryLock(fd: number): boolean
}

/** The part of koffi that is used here, the same from its package and from its bare addon. */
interface Ffi {
  /** A library by its name; null stands for the libraries of this process. */
  load(library: string | null): Library
}

interface Library {
  func(prototype: string): unknown
}

/** LOCK_EX | LOCK_NB, the same on Linux and macOS. */
const LOCK = 2 | 4

/**
 * Loads the calls of this platform.
 * @throws SvcError `ERR_PEER_CREDENTIALS` if they cannot be loaded; the socket must not open then
 */
export async function loadSystemCalls(platform: NodeJS.Platform = process.platform): Promise<SystemCalls> {
  try {
    const ffi = (isExecutable() ? loadNativeAsset('koffi.node') : (await import('koffi')).default) as Ffi | undefined
    // The C library has a different name on every system (glibc, musl, macOS), and every process has loaded it.
    if (ffi === undefined) throw new Error('koffi is not in this executable')
    const libc = ffi.load(null)
    const flock = libc.func('int flock(int fd, int operation)') as (fd: number, operation: number) => number
    return {
      peerUid: platform === 'darwin' ? darwinPeerUid(libc) : linuxPeerUid(libc),
      boundPath: boundPath(libc),
      tryLock: (fd) => flock(fd, LOCK) === 0,
    }
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    throw socketFail('ERR_PEER_CREDENTIALS', { cause, ...(missing && { hint: INSTALL }) })
  }
}

/**
 * The npm package lacks the addon, because only this socket needs it and it is larger than everything else together.
 */
const INSTALL =
  'The package koffi is not installed: npm install koffi beside svc, use the single executable, which has it, or leave the socket out with --mode runtime.'

/** SO_PEERCRED (socket(7)): `struct ucred { pid_t pid; uid_t uid; gid_t gid }`, 12 bytes. */
function linuxPeerUid(libc: Library): (fd: number) => number {
  const [SOL_SOCKET, SO_PEERCRED, UCRED_BYTES] = [1, 17, 12]
  const getsockopt = libc.func(
    'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)',
  ) as (fd: number, level: number, name: number, value: Uint8Array, length: number[]) => number
  return (fd) => {
    const value = new Uint8Array(UCRED_BYTES)
    const length = [UCRED_BYTES]
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, value, length) !== 0 || length[0] !== UCRED_BYTES)
      throw socketFail('ERR_PEER_CREDENTIALS')
    // In the byte order of the machine; every machine that Node runs on here is little-endian.
    return new DataView(value.buffer).getUint32(4, true)
  }
}

/**
 * getsockname(2) of a Unix socket. `struct sockaddr_un` (unix(7), unix(4)) has two bytes and then the path. One of the
 * two bytes is the address family AF_UNIX, which is 1: the first on Linux (little-endian), the second on macOS.
 */
function boundPath(libc: Library): (fd: number) => string | undefined {
  const [MOST_BYTES, PATH_AT, AF_UNIX] = [110, 2, 1]
  const getsockname = libc.func('int getsockname(int fd, _Out_ uint8_t *address, _Inout_ uint32_t *length)') as (
    fd: number,
    address: Uint8Array,
    length: number[],
  ) => number
  return (fd) => {
    const address = new Uint8Array(MOST_BYTES)
    const length = [MOST_BYTES]
    if (getsockname(fd, address, length) !== 0) return undefined
    if (!address.subarray(0, PATH_AT).includes(AF_UNIX)) return undefined
    const path = address.subarray(PATH_AT, length[0])
    const end = path.indexOf(0)
    return new TextDecoder().decode(end < 0 ? path : path.subarray(0, end))
  }
}

/** getpeereid(3). */
function darwinPeerUid(libc: Library): (fd: number) => number {
  const getpeereid = libc.func('int getpeereid(int fd, _Out_ uint32_t *uid, _Out_ uint32_t *gid)') as (
    fd: number,
    uid: number[],
    gid: number[],
  ) => number
  return (fd) => {
    const uid = [0]
    if (getpeereid(fd, uid, [0]) !== 0 || uid[0] === undefined) throw socketFail('ERR_PEER_CREDENTIALS')
    return uid[0]
  }
}
