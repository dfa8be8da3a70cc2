/** The error codes of servers: for requests that no surface gets, and for failures to listen. */
import { defineErrors, type ErrorCatalogue, type SvcError } from '../../core/declare/errors.ts'
import type { OwnAddress } from './node-http/api.ts'

type TransportCode =
  | 'request_timeout'
  | 'header_too_large'
  | 'expectation_failed'
  | 'http_version_not_supported'
  | 'ERR_LISTEN_FAILED'
  | 'ERR_UWS_UNAVAILABLE'

/** The codes of the servers. */
export const transportFail: ErrorCatalogue<TransportCode> = defineErrors<TransportCode>({
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  header_too_large: { status: 431, message: 'The head of the request is larger than this server takes.' },
  expectation_failed: { status: 417, message: 'The only expectation that this server meets is 100-continue.' },
  http_version_not_supported: { status: 505, message: 'This server speaks HTTP/1.1.' },
  ERR_LISTEN_FAILED: { message: 'The server could not listen.' },
  ERR_UWS_UNAVAILABLE: { message: 'uWebSockets.js is not available here.' },
})

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process holds the address: choose another server.port, or 0 for a free one.',
  EACCES:
    'This user may not take it. Ports below 1024 are for processes with CAP_NET_BIND_SERVICE: choose a higher server.port.',
  EADDRNOTAVAIL: 'This machine does not have the address: set server.host to one that it has, or to 0.0.0.0 for all.',
  ENOTFOUND: 'The name does not resolve to an address: set server.host to an IP address of this machine.',
  EAI_AGAIN: 'The name cannot be resolved now: set server.host to an IP address of this machine.',
}

/** The error for an address that cannot be listened on, with the system's reason. */
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
