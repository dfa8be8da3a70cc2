/** Connects `svc health` to a service that speaks TLS. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'

/**
 * Connects to a service on this machine. Whatever name the certificate has and whoever signed it, it must be the one of the configured file: the
 * probe asks by an address, for which a certificate is rarely made.
 */
export function connectToOwn(place: { readonly host: string; readonly port: number }, certFile: string): TLSSocket {
  const { fingerprint256 } = new X509Certificate(readFileSync(certFile))
  // What is compared instead is stricter than a chain of signatures. No secret is sent.
  const socket = connect({ ...place, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false })
  socket.once('secureConnect', () => {
    if (socket.getPeerX509Certificate()?.fingerprint256 === fingerprint256) return
    socket.destroy(new Error(`the service has another certificate than ${certFile}`))
  })
  return socket
}
