/**
 * The socket that the service manager opened before it started this process: socket activation, as sd_listen_fds(3) describes it.
 * Clients can connect before the service is ready, and none is refused while it restarts.
 */
import { socketFail } from './errors.ts'

/** The first descriptor that a service manager passes: SD_LISTEN_FDS_START of sd_listen_fds(3). */
const FIRST_FD = 3

/**
 * Returns the descriptor of the inherited socket, or undefined if none is meant for this process. The variables are removed from
 * `environment`, so that no child takes them for its own.
 * @throws SvcError `ERR_SOCKET_INHERITED` if there is more than one socket
 */
export function takeInheritedSocket(environment: NodeJS.ProcessEnv, pid: number): number | undefined {
  const { LISTEN_PID: forPid, LISTEN_FDS: count } = environment
  if (forPid !== String(pid) || count === undefined) return undefined
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name]
  if (count === '1') return FIRST_FD
  throw socketFail('ERR_SOCKET_INHERITED', {
    message: `The service manager passed ${count} sockets; the sync API takes exactly one.`,
  })
}
