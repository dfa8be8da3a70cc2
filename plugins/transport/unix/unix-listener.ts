/** The Unix socket of the local surface: private from birth, one service a path, same user only. */
import { existsSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import type { Surface } from '../../../core/http/surface.ts'
import type { Logger } from '../../../core/log.ts'
import type { Connection, HttpServer, Listener } from '../node-http/api.ts'
import type { SystemCalls } from './native.ts'
import { checkSocketPath, lockSocket, prepareFolder, temporaryPath } from './socket-path.ts'

/** What the listener needs. */
export interface UnixListenerOptions {
  readonly path: string
  readonly http: HttpServer
  readonly surface: Surface
  /** Asked for once the path is known to be usable: to load them takes longer than all the rest. */
  readonly calls: () => Promise<SystemCalls>
  readonly log: Logger
}

/**
 * Opens the socket.
 * @throws SvcError `ERR_SOCKET_PATH`, `ERR_SOCKET_DIRECTORY`, `ERR_SOCKET_LOCKED`, `ERR_LISTEN_FAILED`
 */
export async function openUnixListener(options: UnixListenerOptions): Promise<Listener> {
  const { path, http, surface, log } = options
  checkSocketPath(path)
  prepareFolder(path)
  const calls = await options.calls()
  const unlock = lockSocket(path, calls)
  const ours = process.getuid!()
  const temporary = temporaryPath(path)
  let listener: Listener
  try {
    listener = await http.serve(surface, {
      address: { path: temporary },
      bind: (listen) => bindPrivately(listen, temporary, path),
      admit: (socket) => {
        const uid = calls.peerUid(fdOf(socket))
        if (uid !== ours) log.warn('A connection of another user was closed.', { uid })
        return uid === ours
      },
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
      // Only what this listener made is removed: the path may have changed hands.
      if (identity !== undefined && identityOf(path) === identity) unlinkSync(path)
      unlock()
    },
  }
}

/**
 * Binds under a name that nobody knows, with mode 0600 from the first moment, then moves it into place: there is no
 * moment at which the path is missing or open. A stale socket is replaced: the lock says that nobody serves it.
 */
function bindPrivately(listen: () => void, temporary: string, path: string): void {
  const before = process.umask(0o177)
  try {
    listen()
  } finally {
    process.umask(before)
  }
  // Where the bind failed there is nothing to move, and the listener reports why.
  if (existsSync(temporary)) renameSync(temporary, path)
}

function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/** The descriptor of an accepted connection. Node offers no public way to it. */
function fdOf(socket: Connection): number {
  const { _handle } = socket as unknown as { _handle?: { fd?: number } }
  return _handle?.fd ?? -1
}
