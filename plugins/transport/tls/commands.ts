/** What the TLS transport gives to commands of other families. */

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import type { CommandGifts, CommandIo } from '../../../core/declare/command.ts'
import type {} from './capabilities.ts'
import type { OwnTls } from './client/api.ts'

/** Connections to the own service. */
export const commands: readonly CommandGifts[] = [{ gives: { OwnTls: openOwnTls } }]

/** Undefined if the settings name no certificate. */
export function openOwnTls(io: CommandIo): OwnTls {
  const cert = io.setting('server.tls.cert') as string | null
  return { connect: cert === null ? undefined : (place, signal) => connectToOwn(place, cert, signal) }
}

/**
 * Connects to a service on this machine. Its certificate must be the one of the configured file; its name and its
 * signer do not matter, because certificates are rarely made for the address that commands use. The connection is
 * returned after this comparison, so that no credential is sent before it.
 */
function connectToOwn(
  place: { readonly host: string; readonly port: number },
  certFile: string,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const { fingerprint256 } = new X509Certificate(readFileSync(certFile))
  return new Promise((resolve, reject) => {
    // The comparison with the file below is stricter than a chain of signatures.
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
