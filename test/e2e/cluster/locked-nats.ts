/** A NATS server with TLS and users, in a separate folder, and the files for a login. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { type Child, startChild } from '../../../scripts/child.ts'
import { noOpenssl } from '../../../scripts/cluster/certificates.ts'
import { noNats } from '../../../scripts/cluster/engines.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { folderWith } from '../../support/folder.ts'

/** The reason why no such server can run here. Undefined if it can. */
export const noLockedNats: string | undefined = noOpenssl ?? noNats

/** A running server. */
export interface LockedNats {
  readonly port: number
  /** The log of the server. */
  readonly log: string
  /** Kills it and starts it again, so that it reads its files anew. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server. `config` is added to the address and the settings of JetStream. */
export async function startLockedNats(config: string, env: NodeJS.ProcessEnv = {}): Promise<LockedNats> {
  const folder = folderWith()
  const port = await freePort()
  const file = join(folder, 'nats.conf')
  writeFileSync(file, `jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: 10GB }\n${config}\n`)
  const args = ['-c', file, '-a', '127.0.0.1', '-p', String(port)]
  const spawn = (): Child => startChild('nats-server', { args, cwd: folder, env: { ...process.env, ...env } })
  let child = spawn()
  // A connection that only checks whether the port is open would log a failed TLS handshake.
  const started = async (): Promise<void> => void (await child.waitFor(/Server is ready/))
  await started()
  return {
    port,
    get log() {
      return child.err
    },
    restart: async () => {
      await child.stop('SIGKILL')
      child = spawn()
      await started()
    },
    stop: async () => void (await child.stop('SIGKILL')),
  }
}

/** Creates an nkey of a user: the public key, and a file with the seed. */
export function makeNkey(): { readonly publicKey: string; readonly file: string } {
  const user = nkeys.createUser()
  return { publicKey: user.getPublicKey(), file: writeSecret(`${new TextDecoder().decode(user.getSeed())}\n`) }
}

/** The configuration of a server in operator mode, and a .creds file of a user of its account. */
export function makeOperator(): { readonly config: string; readonly creds: string } {
  const [operator, system] = [nkeys.createOperator(), nkeys.createAccount()]
  const [account, user] = [nkeys.createAccount(), nkeys.createUser()]
  const sign = (by: nkeys.KeyPair, sub: nkeys.KeyPair, nats: object): string => {
    const claims = {
      jti: sub.getPublicKey(),
      iat: 1_700_000_000,
      iss: by.getPublicKey(),
      sub: sub.getPublicKey(),
      nats,
    }
    const parts = [{ typ: 'JWT', alg: 'ed25519-nkey' }, claims]
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${text}.${Buffer.from(by.sign(new TextEncoder().encode(text))).toString('base64url')}`
  }
  const all = { subs: -1, data: -1, payload: -1 }
  const limits = {
    ...{ ...all, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
    ...{ mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
  }
  const operatorJwt = sign(operator, operator, { type: 'operator', version: 2 })
  const accounts = [system, account].map(
    (one) =>
      `${one.getPublicKey()}: ${sign(operator, one, { type: 'account', version: 2, limits: one === account ? limits : all })}`,
  )
  const userJwt = sign(account, user, { type: 'user', version: 2, ...all })
  const seed = new TextDecoder().decode(user.getSeed())
  const block = (kind: string, text: string): string => `-----BEGIN ${kind}-----\n${text}\n------END ${kind}------\n`
  return {
    config: [
      `operator: ${operatorJwt}`,
      `system_account: ${system.getPublicKey()}`,
      `resolver: MEMORY\nresolver_preload: { ${accounts.join(', ')} }`,
    ].join('\n'),
    creds: writeSecret(`${block('NATS USER JWT', userJwt)}\n${block('USER NKEY SEED', seed)}`),
  }
}

function writeSecret(text: string): string {
  return join(folderWith({ secret: text }), 'secret')
}
