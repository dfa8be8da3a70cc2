/** What both sides of a connection between peers agree on, and whose key the other one has proven. */
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import type { EndpointKey } from '../../sync/api.ts'
import { toCertificate, toEndpointId, toPem } from './certificate.ts'

/** The one protocol (RFC 7301). */
const PROTOCOL = 'svc-peer/1'

/** TLS 1.3 with the key of this node. Certificates are not judged by OpenSSL: nothing in them but the key counts. */
export interface HandshakeOptions extends SecureContextOptions {
  readonly key: string
  readonly cert: string
  readonly ALPNProtocols: string[]
  readonly rejectUnauthorized: false
}

/** The options of either side. */
export function toHandshake({ endpointId, pem, sign }: EndpointKey): HandshakeOptions {
  return {
    key: pem,
    cert: toPem(toCertificate(endpointId, sign)),
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3',
    ALPNProtocols: [PROTOCOL],
    rejectUnauthorized: false,
  }
}

/**
 * The endpoint id that the other side has proven with a whole handshake; undefined where it has proven none. A resumed
 * session proves the key of another time.
 */
export function provenBy(socket: TLSSocket): string | undefined {
  if (socket.alpnProtocol !== PROTOCOL || socket.isSessionReused() || socket.getProtocol() !== 'TLSv1.3')
    return undefined
  try {
    const certificate = socket.getPeerX509Certificate()
    return certificate === undefined
      ? undefined
      : toEndpointId(certificate.publicKey.export({ format: 'der', type: 'spki' }))
  } catch {
    // A key that this OpenSSL does not know.
    return undefined
  }
}
