/**
 * Starts a PostgreSQL that accepts only TLS connections, with one role that owns the tables and another role for the
 * nodes.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import type { CertificatePair } from './certificates.ts'
import { acceptsConnections, type Engine, postgresBin, postgresFolder, startEngine } from './engines.ts'

/** The role that owns the tables, as in docs/cluster.md. */
export const OWNER = 'svc_owner'
/** The role of the nodes, as in docs/cluster.md. */
export const NODE = 'svc_node'

/** Options of {@link startLockedPostgres}. */
export interface LockedPostgresOptions {
  /** Certificate and key of the server. */
  readonly server: CertificatePair
  /** Passwords of the roles, which consist of letters and digits. */
  readonly passwords: Readonly<Record<typeof OWNER | typeof NODE, string>>
}

/**
 * Starts PostgreSQL with an empty database `svc`. The superuser is the user that PostgreSQL runs as, over a socket that
 * no other user can access.
 */
export async function startLockedPostgres({ server, passwords }: LockedPostgresOptions): Promise<Engine> {
  const { folder, data, identity } = postgresFolder()
  const superuser = identity.uid === undefined ? userInfo().username : 'postgres'
  const run = (program: string, args: readonly string[], input = ''): void => {
    const stdio: ['pipe', 'ignore', 'pipe'] = ['pipe', 'ignore', 'pipe']
    execFileSync(join(postgresBin!, program), args, { ...identity, cwd: folder, input, stdio })
  }
  run('initdb', ['-D', data, '-U', superuser, '--auth-local=peer', '--no-sync', '-E', 'UTF8', '--locale=C'])
  const installFile = (file: string, to: string): void => {
    const copy = join(data, to)
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
    if (identity.uid !== undefined && identity.gid !== undefined) chownSync(copy, identity.uid, identity.gid)
  }
  installFile(server.cert, 'server.pem')
  installFile(server.key, 'server.key')
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
    isReady: () => acceptsConnections(folder, port),
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

/** The statements that create the roles. Failed statements are not logged, because they contain passwords. */
function rolesOf(passwords: LockedPostgresOptions['passwords']): string {
  const roles = ([OWNER, NODE] as const).map((role) => `create role ${role} login password '${passwords[role]}';`)
  return ['set log_min_error_statement = panic;', ...roles, 'create database svc;'].join('\n')
}
