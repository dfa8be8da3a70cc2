/** The contract of the listener for peers. Tests with several nodes cover the handshakes. */
import { type Contract, defineContract, refusesSetting } from '../../../core/contract.ts'

/** The contract of feature `peer.tls`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'an address to listen on that is none ends the start with 78 and names the setting',
      given: { 'peer.listen': '127.0.0.1' },
      command: [],
      exits: { code: 78, stderr: /SVC_PEER__LISTEN: expected a host and a port/ },
    },
  ],
  absent: [refusesSetting('peer.listen', '127.0.0.1:7443')],
})
