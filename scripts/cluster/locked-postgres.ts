/** A PostgreSQL that takes TLS alone, with a role that owns the tables and another one for the nodes. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import type { CertificatePair } from './certificates.ts'
import { acceptsConnections, type Engine, postgresBin, postgresFolder, startEngine } from './engines.ts'

/** The roles of docs/cluster.md. */
export const OWNER = 'svc_owner'
/** The role of the nodes. */
export const NODE = 'svc_node'

/** What it is started with. */
export interface LockedPostgresOptions {
  /** Its certificate. */
  readonly server: CertificatePair
  /** The passwords of the roles: letters and digits. */
  readonly passwords: Readonly<Record<typeof OWNER | typeof NODE, string>>
}

/** Starts it with an empty database `svc`. Its superuser is the user that it runs as, through a socket that no other user reaches. */
export async function startLockedPostgres({ server, passwords }: LockedPostgresOptions): Promise<Engine> {
  const { folder, data, identity } = postgresFolder()
  const superuser = identity.uid === undefined ? userInfo().username : 'postgres'
  const run = (program: string, args: readonly string[], input = ''): void => {
    const stdio: ['pipe', 'ignore', 'pipe'] = ['pipe', 'ignore', 'pipe']
    execFileSync(join(postgresBin!, program), args, { ...identity, cwd: folder, input, stdio })
  }
  run('initdb', ['-D', data, '-U', superuser, '--auth-local=peer', '--no-sync', '-E', 'UTF8', '--locale=C'])
  const own = (file: string, to: string): void => {
    const copy = join(data, to)
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
    if (identity.uid !== undefined && identity.gid !== undefined) chownSync(copy, identity.uid, identity.gid)
  }
  own(server.cert, 'server.pem')
  own(server.key, 'server.key')
  const rules = [OWNER, NODE].map((role) => `hostssl svc ${role} 127.0.0.1/32 scram-sha-256`)
  writeFileSync(join(data, 'pg_hba.conf'), `${[`local all "${superuser}" peer`, ...rules].join('\n')}\n`)
  const port = await freePort()
  const settings = [
    ...['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'password_encryption=scram-sha-256'],
    ...['ssl=on', 'ssl_cert_file=server.pem', 'ssl_key_file=server.key', 'ssl_min_protocol_version=TLSv1.3'],
    ...['shared_buffers=16MB', 'max_connections=60'],
  ]
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const logFile = join(folder, 'log')
  const engine = await startEngine({
    ...{ url: `postgres://localhost:${port}/svc`, port, folder },
    spawn: () =>
      startChild(join(postgresBin!, 'postgres'), { args, cwd: folder, ...identity, logFile, isDetached: true }),
    isReady: async () => acceptsConnections(folder, port),
  })
  const asSuperuser = ['-h', folder, '-p', String(port), '-U', superuser]
  try {
    run('psql', [...asSuperuser, '-d', 'postgres', '-X', '-q', '-v', 'ON_ERROR_STOP=1'], rolesOf(passwords))
    run('psql', [...asSuperuser, '-d', 'svc', '-X', '-q'], `create schema svc authorization ${OWNER};`)
    return engine
  } catch (error) {
    await engine.stop()
    throw error
  }
}

/** The statements that make the roles. A statement that fails is not logged, because it has a password. */
function rolesOf(passwords: LockedPostgresOptions['passwords']): string {
  const roles = ([OWNER, NODE] as const).map((role) => `create role ${role} login password '${passwords[role]}';`)
  return ['set log_min_error_statement = panic;', ...roles, 'create database svc;'].join('\n')
}
