/** What the probes promise. */
import { type Case, type Contract, defineContract } from '../../core/contract.ts'

const paths = ['/health', '/healthz'] as const

/** The contract of feature `probes`. */
export const contract: Contract = defineContract({
  present: [
    ...paths.map(
      (path): Case => ({
        name: `GET ${path} answers ok without a credential`,
        send: { path },
        expect: { status: 200, headers: { 'content-type': 'application/json' }, body: { status: 'ok' } },
      }),
    ),
    ...paths.map(
      (path): Case => ({
        name: `HEAD ${path} answers without a body`,
        send: { method: 'HEAD', path },
        expect: { status: 200, body: /^$/ },
      }),
    ),
    {
      name: 'GET /readyz reports the checks',
      send: { path: '/readyz' },
      expect: { status: 200, body: { status: 'ready' } },
    },
    {
      name: 'POST /health is a method that is not allowed, without a credential',
      send: { method: 'POST', path: '/health' },
      expect: { status: 405, headers: { allow: 'GET, HEAD' }, body: { error: { code: 'method_not_allowed' } } },
    },
    ...['/health/', '//health', '/healt%68', '/x/../health', '/HEALTH'].map(
      (path): Case => ({
        name: `${path} is not an open path`,
        send: { path },
        expect: { status: 401, headers: { 'www-authenticate': /^Bearer realm="svc"$/ } },
      }),
    ),
  ],
  absent: ['/health', '/healthz', '/readyz'].map(
    (path): Case => ({
      name: `${path} is not there`,
      send: { path },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    }),
  ),
})
