/** The error codes of servers: for requests that no surface gets, and for failures to listen. */
import { defineErrors, type ErrorCatalogue } from '../../core/errors.ts'

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
