/** The contract of servers, besides that of requests. */
import { type Case, type Contract, defineContract, refusesSetting } from '../../../core/contract.ts'

/** The contract of the servers. Without a server their settings are unknown. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'every answer names its length or is chunked',
      send: { path: '/health' },
      expect: { status: 200, headers: { 'content-length': /^\d+$/, 'transfer-encoding': null } },
    },
    ...['PUT', 'DELETE', 'OPTIONS', 'PROPFIND'].map(
      (method): Case => ({
        name: `${method} /health is refused with the methods that are allowed`,
        send: { method, path: '/health' },
        expect: { status: 405, headers: { allow: 'GET, HEAD' } },
      }),
    ),
    {
      name: 'a body that a route does not read is not taken for a request',
      send: { method: 'POST', path: '/health', body: 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n' },
      expect: { status: 405, body: { error: { code: 'method_not_allowed' } } },
    },
  ],
  absent: [refusesSetting('server.port', 8080)],
})
