/** The TLS options of both sides of a connection between peers, and the key that the other side has proven. */
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import type { EndpointKey } from '../../sync/api.ts'
import { toCertificate, toEndpointId, toPem } from './certificate.ts'

/** The protocol name of ALPN (RFC 7301). */
const PROTOCOL = 'svc-peer/1'

/** TLS 1.3 with the key of this node. OpenSSL does not verify certificates, because only the key in them is used. */
export interface HandshakeOptions extends SecureContextOptions {
  readonly key: string
  readonly cert: string
  readonly ALPNProtocols: string[]
  readonly rejectUnauthorized: false
}

/** The options of both sides. */
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
 * The endpoint id that the other side has proven in a full handshake; undefined if it has proven none. A resumed
 * session does not count, because its key was proven at an earlier time.
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
    // OpenSSL does not support the type of the key.
    return undefined
  }
}
