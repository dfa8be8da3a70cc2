/** The contract of the choice of a server. Clients see no difference. */
import { type Case, type Contract, defineContract, refusesSetting } from '../../../core/contract.ts'

/** The contract of feature `transport.uws`. */
export const contract: Contract = defineContract({
  present: ['auto', 'uws', 'node'].map(
    (transport): Case => ({
      name: `with server.transport ${transport} the answers are the same`,
      given: { 'server.transport': transport },
      send: { path: '/health' },
      expect: {
        status: 200,
        headers: { 'content-type': 'application/json', 'content-length': '15', 'cache-control': 'no-store' },
        body: { status: 'ok' },
      },
    }),
  ),
  absent: [refusesSetting('server.transport', 'uws')],
})
