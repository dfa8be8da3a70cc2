/** The contract of the audit chain, as far as it can be tested with an empty chain. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'

const paths = ['/api/v1/audit', '/api/v1/audit/verify'] as const

/** The contract of feature `kbd.audit`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'an audit chain without entries is whole',
      surface: 'local',
      send: { path: '/api/v1/audit/verify' },
      expect: { status: 200, body: { ok: true, count: 0, firstBad: null, checkpoint: null } },
    },
    {
      name: 'its list is empty, and its head is before the first entry',
      surface: 'local',
      send: { path: '/api/v1/audit' },
      expect: { status: 200, body: { entries: [], head: { seq: 0, hash: '0'.repeat(64) } } },
    },
    ...['after=-1', 'after=x', 'limit=0', 'limit=1001', 'kind=nothing'].map(
      (query): Case => ({
        name: `GET /api/v1/audit?${query} is 400 malformed_request`,
        surface: 'local',
        send: { path: `/api/v1/audit?${query}` },
        expect: { status: 400, body: { error: { code: 'malformed_request' } } },
      }),
    ),
    ...paths.map(
      (path): Case => ({
        name: `${path} is not on the runtime surface`,
        send: { path, as: { user: 'ada' } },
        expect: { status: 404, body: { error: { code: 'not_found' } } },
      }),
    ),
    {
      name: 'without a running service svc audit verify says so',
      command: ['audit', 'verify', '--socket', '/nonexistent/sync.sock'],
      exits: { code: 1, stdout: '', stderr: /\/nonexistent\/sync\.sock/ },
    },
    ...[['audit'], ['audit', 'verify', 'all'], ['audit', 'verify', '--fast']].map(
      (command): Case => ({
        name: `svc ${command.join(' ')} is wrong usage`,
        command,
        exits: { code: 64, stdout: '', stderr: /Usage: svc audit verify/ },
      }),
    ),
  ],
  absent: [
    ...paths.map(
      (path): Case => ({
        name: `${path} is not there`,
        surface: 'local',
        needs: ['sync.api'],
        send: { path },
        expect: { status: 404, body: { error: { code: 'not_found' } } },
      }),
    ),
    {
      name: 'there is no command audit',
      needs: ['cli'],
      command: ['audit', 'verify'],
      exits: { code: 64, stdout: '', stderr: /There is no command "audit"/ },
    },
  ],
})
