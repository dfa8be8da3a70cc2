/** Cases of the probes. */
import { type Case, type Contract, defineContract } from '../../core/testing/contract.ts'

const alivePaths = ['/health', '/healthz'] as const

interface ReadyBody {
  readonly checks: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The contract of feature `probes`. */
export const contract: Contract = defineContract({
  present: [
    ...alivePaths.map(
      (path): Case => ({
        name: `GET ${path} answers ok without a credential`,
        send: { path },
        expect: { status: 200, headers: { 'content-type': 'application/json' }, body: { status: 'ok' } },
      }),
    ),
    ...alivePaths.map(
      (path): Case => ({
        name: `HEAD ${path} answers without a body`,
        send: { method: 'HEAD', path },
        expect: { status: 200, body: /^$/ },
      }),
    ),
    {
      name: 'GET /readyz reports the checks',
      send: { path: '/readyz' },
      expect: { status: 200, headers: { 'cache-control': 'no-store' }, body: { status: 'ready' } },
    },
    {
      name: 'GET /readyz has a row for persistence, memory and tool servers, and says nothing private',
      steps: async (target) => {
        const body = (await target.request({ path: '/readyz' })).json() as ReadyBody
        for (const name of ['persistence', 'memory', 'tool_servers']) {
          const check = body.checks[name]
          if (check === undefined) throw new Error(`no check "${name}"`)
          if (Object.keys(check).sort().join() !== 'required,status') throw new Error(`"${name}" says too much`)
        }
      },
    },
    {
      name: 'a tool server that does not answer is reported, and the service stays ready',
      given: { 'tools.servers': { nowhere: 'http://127.0.0.1:9/' } },
      send: { path: '/readyz' },
      expect: {
        status: 200,
        body: { status: 'ready', checks: { tool_servers: { status: 'failed', required: false } } },
      },
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
