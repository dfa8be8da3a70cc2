/** The contract of peers on a node that has none. Tests with several nodes cover the exchanges. */
import { type Contract, defineContract, refusesSetting } from '../../../core/testing/contract.ts'

const NOBODY = 'ab'.repeat(32)

/** The contract of feature `peer.core`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'nothing can be fetched from a peer that is not entered',
      surface: 'local',
      send: { method: 'POST', path: `/api/v1/peers/${NOBODY}/pull`, body: { project: 'demo' } },
      expect: { status: 404, body: { error: { code: 'peer_not_found' } } },
    },
    {
      name: 'a wish to fetch that names no project is 400',
      surface: 'local',
      send: { method: 'POST', path: `/api/v1/peers/${NOBODY}/pull`, body: {} },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
    {
      name: 'a pairing needs a project of this node',
      surface: 'local',
      send: {
        method: 'POST',
        path: '/api/v1/peers/pairings',
        body: { addresses: ['127.0.0.1:7443'], devices: false, label: null, projects: ['nowhere'] },
      },
      expect: { status: 404, body: { error: { code: 'scope_not_found' } } },
    },
    {
      name: 'a text that is no pairing code is 400',
      surface: 'local',
      send: {
        method: 'POST',
        path: '/api/v1/peers/join',
        body: { addresses: null, code: 'svc-pair-1.e30', devices: false, label: null, projects: [] },
      },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
    {
      name: 'the routes between peers are not on the local surface',
      surface: 'local',
      send: { method: 'POST', path: '/api/v2/peer/pushes', body: {} },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
    {
      name: 'the routes between peers are not on the runtime surface',
      send: { path: '/api/v2/peer/projects/demo/frontier', as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
  absent: [
    refusesSetting('peer.bytes_per_minute', 1_048_576),
    {
      name: 'no pairing can be opened',
      surface: 'local',
      send: { method: 'POST', path: '/api/v1/peers/pairings', body: {} },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
