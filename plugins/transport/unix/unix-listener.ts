/** The Unix socket of the local surface: mode 0600 from its creation, one service per path, same user only. */
import { existsSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import type { Surface } from '../../../core/http/surface.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { Connection, HttpServer, Listener } from '../node-http/api.ts'
import { socketFail } from './errors.ts'
import type { SystemCalls } from './native.ts'
import { checkSocketPath, lockSocket, prepareFolder, temporaryPath } from './socket-path.ts'

/** What the listener needs. */
export interface UnixListenerOptions {
  readonly path: string
  /** The descriptor of a socket that the service manager opened at this path. */
  readonly inherited: number | undefined
  readonly http: HttpServer
  readonly surface: Surface
  /** Called after the path was checked, because loading the system calls takes longer than everything else. */
  readonly calls: () => Promise<SystemCalls>
  readonly log: Logger
}

/**
 * Opens the socket.
 * @throws SvcError `ERR_SOCKET_PATH`, `ERR_SOCKET_DIRECTORY`, `ERR_SOCKET_LOCKED`, `ERR_LISTEN_FAILED`
 */
export async function openUnixListener(options: UnixListenerOptions): Promise<Listener> {
  const { path, inherited, http, surface, log } = options
  checkSocketPath(path)
  if (inherited === undefined) prepareFolder(path)
  const calls = await options.calls()
  const admit = createAdmission(calls, log)
  if (inherited !== undefined) {
    checkInherited(inherited, path, calls)
    return await http.serve(surface, { address: { path, fd: inherited }, admit })
  }
  const unlock = lockSocket(path, calls)
  const temporary = temporaryPath(path)
  let listener: Listener
  try {
    listener = await http.serve(surface, {
      address: { path: temporary },
      bind: (listen) => bindPrivately(listen, temporary, path),
      admit,
    })
  } catch (error) {
    unlock()
    throw error
  }
  const identity = identityOf(path)
  return {
    ...listener,
    address: path,
    async close() {
      await listener.close()
      // Only the file that this listener made is removed: the path may belong to another process now.
      if (identity !== undefined && identityOf(path) === identity) unlinkSync(path)
      unlock()
    },
  }
}

/** Admits the connections of this process's own user. */
function createAdmission(calls: SystemCalls, log: Logger): (socket: Connection) => boolean {
  const ours = process.getuid?.()
  if (ours === undefined) throw new Error('this system has no users')
  return (socket) => {
    const uid = calls.peerUid(fdOf(socket))
    if (uid !== ours) log.warn('A connection of another user was closed.', { uid })
    return uid === ours
  }
}

/**
 * Checks that the socket of the service manager listens at the configured path, where the commands of `svc` look for
 * it. The file, its mode and its end are the manager's.
 */
function checkInherited(fd: number, path: string, calls: SystemCalls): void {
  const at = calls.boundPath(fd)
  if (at === path) return
  throw socketFail('ERR_SOCKET_INHERITED', {
    message: `The service manager listens on ${at ?? 'something that is not a Unix socket'}, and sync.socket_path says ${path}.`,
  })
}

/**
 * Binds under a random name, with mode 0600 from the first moment, then renames the socket to its path, so that the
 * path is never missing or open to others. A stale socket is replaced, because the lock shows that no process serves
 * it.
 */
function bindPrivately(listen: () => void, temporary: string, path: string): void {
  const before = process.umask(0o177)
  try {
    listen()
  } finally {
    process.umask(before)
  }
  // If the bind failed there is nothing to rename, and the listener reports why.
  if (existsSync(temporary)) renameSync(temporary, path)
}

function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

/** The descriptor of an accepted connection. Node offers no public way to it. */
function fdOf(socket: Connection): number {
  const { _handle } = socket as unknown as { _handle?: { fd?: number } }
  return _handle?.fd ?? -1
}
