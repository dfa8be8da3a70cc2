/**
 * The engines of `make cluster`: three NATS servers and PostgreSQL, with TLS and the least privileges of
 * docs/cluster.md.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../free-port.ts'
import { type CertificatePair, createAuthority } from './certificates.ts'
import type { SharedEngines } from './cluster.ts'
import type { Engine } from './engines.ts'
import { NODE, OWNER, startLockedPostgres } from './locked-postgres.ts'
import { startNatsCluster } from './nats-cluster.ts'
import type { NatsServer } from './nats-server.ts'

/** Number of NATS servers, and of replicas of each run. */
const SERVERS = 3

/** The connection options of a NATS account. */
export interface NatsLogin {
  readonly servers: string[]
  readonly user: string
  readonly pass: string
  readonly tls: { readonly caFile: string }
}

/** Running engines. */
export interface LockedEngines extends SharedEngines {
  readonly nats: readonly NatsServer[]
  readonly postgres: Engine
  readonly login: NatsLogin
}

/** Options of {@link startLockedEngines}. */
export interface LockedEnginesOptions {
  /** Folder for certificates and the data of NATS. */
  readonly folder: string
  /** The built program; its `svc migrate` creates the tables. */
  readonly program: string
}

/** Starts the engines. The private key of the certificate authority is removed after the certificates are issued. */
export async function startLockedEngines({ folder, program }: LockedEnginesOptions): Promise<LockedEngines> {
  const authority = createAuthority(folder)
  const pairs = ['nats', 'postgres'].map((name) => authority.issue(name))
  authority.close()
  const [natsPair, postgresPair] = pairs as [CertificatePair, CertificatePair]
  const password = secret()
  const nats: NatsServer[] = []
  let postgres: Engine | undefined
  const stop = async (): Promise<void> => {
    await Promise.all([...nats.map((server) => server.stop()), postgres?.stop()])
  }
  try {
    nats.push(...(await startServers(folder, natsPair, authority.cert, password)))
    const passwords = { [OWNER]: secret(), [NODE]: secret() }
    postgres = await startLockedPostgres({ server: postgresPair, passwords })
    const { port } = postgres
    const ca = encodeURIComponent(authority.cert)
    const urlOf = (role: typeof OWNER | typeof NODE): string =>
      `postgres://${role}:${passwords[role]}@localhost:${port}/svc?sslmode=verify-full&sslrootcert=${ca}`
    migrate(program, urlOf(OWNER))
    return {
      ...{ nats, postgres, stop },
      login: {
        servers: nats.map((server) => `localhost:${server.port}`),
        ...{ user: 'svc', pass: password, tls: { caFile: authority.cert } },
      },
      settings: {
        SVC_CLUSTER__NATS_URL: nats.map((server) => `tls://svc:${password}@localhost:${server.port}`).join(','),
        SVC_CLUSTER__NATS_CA_FILE: authority.cert,
        SVC_CLUSTER__REPLICAS: String(SERVERS),
        SVC_CLUSTER__POSTGRES_URL: urlOf(NODE),
        SVC_CLUSTER__MIGRATE: 'false',
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startServers(
  folder: string,
  { cert, key }: CertificatePair,
  ca: string,
  password: string,
): Promise<readonly NatsServer[]> {
  const account = readFileSync(new URL('account.conf', import.meta.url), 'utf8')
  const ports = await freePorts(SERVERS)
  const routes = await freePorts(SERVERS)
  const peers = routes.map((route) => `tls://localhost:${route}`).join(', ')
  // On a busy machine a handshake can take seconds.
  const tls =
    `cert_file: ${JSON.stringify(cert)}, key_file: ` +
    `${JSON.stringify(key)}, ca_file: ${JSON.stringify(ca)}, timeout: 10`
  const options = ports.map((port, index) => {
    const name = `s${index + 1}`
    const serverFolder = join(folder, `nats-${name}`)
    mkdirSync(serverFolder, { mode: 0o700 })
    const address = `localhost:${routes[index]}`
    const config = [
      `client_advertise: "localhost:${port}"`,
      `tls { ${tls} }`,
      `cluster { name: svc, listen: 127.0.0.1:${routes[index]}, advertise: ` +
        `"${address}", routes: [${peers}], tls { ${tls}, verify: true } }`,
      account,
    ]
    return {
      ...{
        name,
        folder: serverFolder,
        port,
        config: config.join('\n'),
        isDetached: true,
        logFile: join(serverFolder, 'log'),
      },
      variables: { SVC_NATS_PASSWORD: password },
    }
  })
  return await startNatsCluster(options)
}

/** Creates the tables with the role that owns them. */
function migrate(program: string, url: string): void {
  const args = ['--disable-warning=ExperimentalWarning', program, 'migrate', '--grant', NODE]
  const env = { SVC_CLUSTER__POSTGRES_URL: url }
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`svc migrate failed\n${stderr}`)
}

/** A random password. It begins with a letter, because NATS would read a password of digits as a number. */
function secret(): string {
  return `p${randomBytes(24).toString('hex')}`
}
