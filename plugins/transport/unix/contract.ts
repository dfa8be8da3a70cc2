/** The contract of the local listeners for admitted clients. Refused clients are tested on the socket itself. */
import { type Contract, defineContract, refusesSetting } from '../../../core/contract.ts'

/** The contract of feature `transport.unix`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'the socket has its own routes: those of the runtime surface are not on it',
      surface: 'local',
      send: { path: '/readyz' },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
    {
      name: 'a credential of the runtime surface is neither needed nor looked at',
      surface: 'local',
      send: { path: '/health', headers: { authorization: 'Bearer nonsense' } },
      expect: { status: 200 },
    },
  ],
  absent: [refusesSetting('sync.tcp', '8080')],
})
