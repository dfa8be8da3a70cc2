import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type ConnectionOptions, credsAuthenticator, nkeyAuthenticator, type TlsOptions } from '@nats-io/transport-node'
import type { SettingRefusal } from '../../../core/kernel/settings/resolve.ts'
import type { NatsAddress } from './address.ts'

/** Paths of the files with which a node signs in to NATS. */
export interface NatsFiles {
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
  readonly creds: string | null
  readonly nkey: string | null
}

/** The part of the client's options that says where NATS is and how a node signs in. */
export type NatsAccess = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'authenticator' | 'tls'>

/** Options of the client. It reads the files at each connection, so that new ones are used without a restart. */
export function toAccess({ isTls, ...address }: NatsAddress, { ca, cert, key, creds, nkey }: NatsFiles): NatsAccess {
  const tls: TlsOptions = {
    ...(ca !== null && { caFile: ca }),
    ...(cert !== null && { certFile: cert }),
    ...(key !== null && { keyFile: key }),
  }
  return {
    ...address,
    ...(isTls && { tls }),
    ...(creds !== null && { authenticator: credsAuthenticator(() => readFileSync(creds)) }),
    ...(nkey !== null && { authenticator: nkeyAuthenticator(() => readSeed(nkey)) }),
  }
}

/** Validates the files, alone and together with the address. What they contain is in no message. */
export function refuseNatsFiles(files: NatsFiles, address: NatsAddress | undefined): readonly SettingRefusal[] {
  const refusals: SettingRefusal[] = []
  const refuse = (file: keyof NatsFiles, message: string, hint: string): void => {
    refusals.push({ key: `cluster.nats_${file}_file`, message, hint })
  }
  const { ca, cert, key, creds, nkey } = files
  for (const [file, path] of Object.entries({ ca, cert, key }) as ['ca' | 'cert' | 'key', string | null][])
    if (path !== null && address?.isTls === false)
      refuse(file, 'of no use without TLS', 'Write the addresses in cluster.nats_url as tls://host:4222.')
  if ((cert === null) !== (key === null))
    refuse(cert === null ? 'cert' : 'key', 'not set', 'Set cluster.nats_cert_file and cluster.nats_key_file together.')
  const hasUser = address?.user !== undefined || address?.token !== undefined
  if ([hasUser, creds !== null, nkey !== null].filter(Boolean).length > 1)
    refuse(
      creds === null ? 'nkey' : 'creds',
      'not the only credentials',
      'Set one of cluster.nats_creds_file, cluster.nats_nkey_file and a user in cluster.nats_url.',
    )
  const check = (file: keyof NatsFiles, kind: string, read: () => unknown): void => {
    try {
      read()
    } catch (error) {
      const { syscall, code } = error as NodeJS.ErrnoException
      const message = syscall === undefined ? `not ${kind}` : `a file that cannot be read (${code})`
      refuse(file, message, `Set it to the path of ${kind}.`)
    }
  }
  if (ca !== null) check('ca', 'a PEM file of certificates', () => new X509Certificate(readFileSync(ca)))
  if (cert !== null && key !== null) {
    check('cert', 'a PEM file of a certificate', () => new X509Certificate(readFileSync(cert)))
    const pair = (): unknown => createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) })
    check('key', 'the PEM file of the private key of cluster.nats_cert_file', pair)
  }
  if (creds !== null) check('creds', 'a .creds file of NATS', () => credsAuthenticator(readFileSync(creds))('nonce'))
  if (nkey !== null) check('nkey', 'a file with the seed of an nkey', () => nkeyAuthenticator(readSeed(nkey))('nonce'))
  return refusals
}

function readSeed(path: string): Uint8Array {
  return new TextEncoder().encode(readFileSync(path, 'utf8').trim())
}
