/** The contract of `realtime.runs-admin`. test/e2e/realtime/runs-admin.test.ts has runs in a service. */
import { type Case, type Contract, defineContract, type Send } from '../../../core/testing/contract.ts'
import { caller } from '../contract-parts.ts'

const ROUTE = '/api/v1/admin/runs'
/** Why these cases need one node: several nodes share the runtime surface alone. */
const oneNode = 'the socket belongs to one node'

const refused = (query: string): Case => ({
  name: `GET ${query} on the socket is 400 malformed_request`,
  surface: 'local',
  oneNode,
  send: { path: query },
  expect: { status: 400, body: { error: { code: 'malformed_request' } } },
})

const notThere = (name: string, send: Send, surface: 'local' | 'runtime' = 'runtime'): Case => ({
  name,
  surface,
  send,
  expect: { status: 404, body: { error: { code: 'not_found' } } },
})

/** The contract of feature `realtime.runs-admin`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /api/v1/admin/runs on the socket lists runs in pages, without a token',
      surface: 'local',
      oneNode,
      send: { path: `${ROUTE}?tenant=nowhere` },
      expect: { status: 200, headers: { 'cache-control': 'no-store' }, body: { runs: [], next: null } },
    },
    ...['?user=', '?user=*', '?tenant=', '?limit=0', '?before=x', '?status=ended'].map((query) =>
      refused(ROUTE + query),
    ),
    {
      name: 'a cancel needs the tenant and the user of the run',
      surface: 'local',
      oneNode,
      send: { method: 'POST', path: `${ROUTE}/r/cancel?user=ann` },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
    {
      name: 'a cancel of a run that is not there is 404',
      surface: 'local',
      oneNode,
      send: { method: 'POST', path: `${ROUTE}/r/cancel?user=ann&tenant=nowhere` },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
    notThere(`the runtime surface has no ${ROUTE}, whatever the scopes are`, {
      path: ROUTE,
      as: caller('admin', ['svc:runs:read', 'svc:runs:write']),
    }),
    {
      name: 'svc run without an action ends with 64 and names the actions',
      needs: ['cli'],
      command: ['run'],
      exits: { code: 64, stdout: '', stderr: /list, show, cancel/ },
    },
    {
      name: 'svc run show without an id ends with 64',
      needs: ['cli'],
      command: ['run', 'show'],
      exits: { code: 64, stdout: '', stderr: /run id/ },
    },
    {
      name: 'svc run list without a service ends with 1 and says so',
      needs: ['cli'],
      command: ['run', 'list'],
      exits: { code: 1, stdout: '', stderr: /No service answers/ },
    },
  ],
  absent: [
    notThere(`${ROUTE} is not there`, { path: ROUTE, as: caller('admin') }),
    {
      name: 'svc run is not there',
      needs: ['cli'],
      command: ['run', 'list'],
      exits: { code: 64, stderr: /There is no command "run"/ },
    },
  ],
})
