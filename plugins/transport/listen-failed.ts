/** The error of a server that cannot listen, with a hint. */
import type { SvcError } from '../../core/errors.ts'
import { transportFail } from './errors.ts'
import type { OwnAddress } from './node-http/api.ts'

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process holds the address: choose another server.port, or 0 for a free one.',
  EACCES:
    'This user may not take it. Ports below 1024 are for processes with CAP_NET_BIND_SERVICE: choose a higher server.port.',
  EADDRNOTAVAIL: 'This machine does not have the address: set server.host to one that it has, or to 0.0.0.0 for all.',
  ENOTFOUND: 'The name does not resolve to an address: set server.host to an IP address of this machine.',
  EAI_AGAIN: 'The name cannot be resolved now: set server.host to an IP address of this machine.',
}

/** The error for an address, with the reason of the system. */
export function listenFailed(address: OwnAddress, cause: unknown): SvcError {
  const where = 'path' in address ? address.path : `${address.host}:${address.port}`
  const { code = '', message = String(cause) } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  const hint = 'path' in address ? undefined : hints[code]
  return transportFail('ERR_LISTEN_FAILED', {
    message: `Cannot listen on ${where}: ${message}`,
    ...(hint === undefined ? {} : { hint }),
    cause,
  })
}
