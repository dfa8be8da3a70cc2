/** Connections of commands to the service of the same settings, where that speaks TLS. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import type { CommandIo } from '../../../../core/command.ts'
import type { OwnTls } from './api.ts'

/** Undefined if the settings name no certificate. */
export function openOwnTls(io: CommandIo): OwnTls {
  const cert = io.setting('server.tls.cert') as string | null
  return { connect: cert === null ? undefined : (place, signal) => connectToOwn(place, cert, signal) }
}

/**
 * Connects to a service on this machine. Whatever name the certificate has and whoever signed it, it must be the one of the configured
 * file: commands use an address, for which a certificate is rarely made. The connection is given once that was compared, so that
 * no credential is sent before.
 */
function connectToOwn(
  place: { readonly host: string; readonly port: number },
  certFile: string,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const { fingerprint256 } = new X509Certificate(readFileSync(certFile))
  return new Promise((resolve, reject) => {
    // What is compared instead is stricter than a chain of signatures.
    const socket = connect({ ...place, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false })
    const abort = (): void => void socket.destroy(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', abort))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      if (socket.getPeerX509Certificate()?.fingerprint256 === fingerprint256) return resolve(socket)
      socket.destroy(new Error(`the service has another certificate than ${certFile}`))
    })
  })
}
