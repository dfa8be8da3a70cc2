/** The contract of the settings of TLS. Handshakes are tested on the service itself. */
import { type Contract, defineContract, refusesSetting } from '../../../core/contract.ts'

/** The contract of feature `transport.tls`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a certificate without its key ends the start with 78 and names both settings',
      given: { 'server.tls.cert': '/etc/ssl/svc.crt' },
      command: [],
      exits: { code: 78, stderr: /SVC_SERVER__TLS__CERT: needs server\.tls\.key/ },
    },
    {
      name: 'a certificate that cannot be read ends the start with 78 and names the file',
      given: { 'server.tls.cert': '/nowhere/svc.crt', 'server.tls.key': '/nowhere/svc.key' },
      command: [],
      exits: { code: 78, stderr: /server\.tls\.cert.*\/nowhere\/svc\.crt cannot be read/ },
    },
  ],
  absent: [refusesSetting('server.tls.cert', '/etc/ssl/svc.crt')],
})
