/**
 * Starts the engines that nodes share, NATS and PostgreSQL, as child processes on loopback, each in a separate folder.
 */
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIRST_SAFE, isOld } from '../../plugins/cluster/nats/server-version.ts'
import { type Child, type ChildExit, startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import { makeEmptyDatabase } from './empty-database.ts'

/** An engine that can be killed and restarted with the same port and data. */
export interface Engine {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Folder of the engine's data. */
  readonly folder: string
  /** Resolves when the current process ends. */
  readonly exited: Promise<ChildExit>
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Restarts the engine after it has ended. Resolves when the engine answers. */
  start(): Promise<void>
  /** Stops the engine and removes its folder. */
  stop(): Promise<void>
}

/** Longest time in milliseconds until an engine answers. */
const START_LIMIT_MS = 60_000

/**
 * What JetStream may store if nothing else is said, in bytes. Streams reserve what they may grow to; here they stay
 * small, and there are many.
 */
export const fileStoreBytes = 1_000_000_000_000

/** The program folder of the newest PostgreSQL; undefined if none is installed. */
export const postgresBin: string | undefined = postgresPrograms()

/** The reason why PostgreSQL cannot be started here; undefined if it can. */
export const noPostgres: string | undefined = postgresBin === undefined ? 'postgresql is not installed' : undefined

/** The reason why NATS cannot be started here; undefined if it can. */
export const noNats: string | undefined = natsVersion() === undefined ? 'nats-server is not installed' : undefined

/** The program of the NATS servers that form a cluster. `NATS_SERVER` names a newer one than the system has. */
export const clusteredNats: string = process.env['NATS_SERVER'] ?? 'nats-server'

/** The reason why no NATS that keeps several copies of the runs can be started here; undefined if one can. */
export const noReplicas: string | undefined = isOld(natsVersion(clusteredNats))
  ? `several copies of runs need nats-server ${FIRST_SAFE} or later, and this ` +
    `one is ${natsVersion(clusteredNats)} (NATS_SERVER names another one)`
  : natsVersion(clusteredNats) === undefined
    ? `${clusteredNats} is not installed`
    : undefined

/** The version of a NATS server, such as `v2.9.10`; undefined if there is no such program. */
export function natsVersion(program = 'nats-server'): string | undefined {
  const { error, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return error === undefined ? stdout.trim().split(' ').at(-1) : undefined
}

/** Starts a PostgreSQL with an empty database `svc`. */
export async function startPostgres(): Promise<Engine> {
  const { folder, data, identity } = postgresFolder()
  makeEmptyDatabase({ bin: postgresBin!, data, identity })
  const port = await freePort()
  const command = [
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
    ...['-c', 'fsync=off', '-c', 'shared_buffers=16MB', '-c', 'max_connections=60'],
  ]
  return startEngine({
    ...{ url: `postgres://svc@127.0.0.1:${port}/svc`, port, folder },
    spawn: () => startChild(join(postgresBin!, 'postgres'), { args: command, cwd: folder, ...identity }),
    isReady: () => acceptsConnections('127.0.0.1', port),
  })
}

/**
 * Starts a NATS server with JetStream, which may store `maxFileStore` bytes. With accounts, users `u0`, `u1` … with the
 * password `p` share nothing with each other, streams included.
 */
export async function startNats(accounts = 0, maxFileStore: number = fileStoreBytes): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nats-'))
  const port = await freePort()
  const config = join(folder, 'nats.conf')
  const each = Array.from(
    { length: accounts },
    (_, n) => `a${n} { jetstream: enabled, users: [{ user: u${n}, password: p }] }`,
  )
  const jetstream = `jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: ${maxFileStore} }\n`
  writeFileSync(config, jetstream + (accounts === 0 ? '' : `accounts {\n${each.join('\n')}\n}\n`))
  const args = ['-c', config, '-a', '127.0.0.1', '-p', String(port)]
  return startEngine({
    ...{ url: `nats://127.0.0.1:${port}`, port, folder },
    spawn: () => startChild('nats-server', { args, cwd: folder }),
    isReady: () => isOpen(port),
  })
}

/** Creates a folder for PostgreSQL. Returns the user that PostgreSQL runs as, because it refuses to run as root. */
export function postgresFolder(): {
  readonly folder: string
  readonly data: string
  readonly identity: { readonly uid?: number; readonly gid?: number }
} {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  const data = join(folder, 'data')
  const as = process.getuid?.() === 0 ? userId('postgres') : undefined
  mkdirSync(data, { mode: 0o700 })
  if (as !== undefined) for (const path of [folder, data]) chownSync(path, as.uid, as.gid)
  return { folder, data, identity: as ?? {} }
}

/** Options of {@link startEngine}. */
export interface EngineOptions extends Pick<Engine, 'url' | 'port' | 'folder'> {
  readonly spawn: () => Child
  readonly isReady: () => Promise<boolean>
}

/** Starts an engine. Resolves when the engine answers. Its folder is removed when this process exits. */
export async function startEngine({ url, port, folder, spawn, isReady }: EngineOptions): Promise<Engine> {
  let child = spawn()
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const started = async (): Promise<void> => {
    let hasEnded = false
    const watch = (): void => void child.exited.finally(() => (hasEnded = true)).catch(() => undefined)
    watch()
    for (const since = performance.now(); !(await isReady()); ) {
      if (performance.now() - since > START_LIMIT_MS) throw new Error(`it did not start\n${child.out}\n${child.err}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
      // A new PostgreSQL exits at once while processes of the killed one still hold the shared memory.
      if (!hasEnded) continue
      hasEnded = false
      child = spawn()
      watch()
    }
  }
  await started()
  return {
    url,
    port,
    folder,
    get pid() {
      return child.pid
    },
    get exited() {
      return child.exited
    },
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await child.exited
    },
    start: async () => {
      child = spawn()
      await started()
    },
    stop: async () => {
      // SIGQUIT ends PostgreSQL at once, but after its child processes, and frees its shared memory.
      await child.stop('SIGQUIT')
      process.removeListener('exit', remove)
      remove()
    },
  }
}

/** Whether a PostgreSQL accepts connections; `host` can be the folder of its socket. */
export async function acceptsConnections(host: string, port: number): Promise<boolean> {
  const address = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
  // `pg_isready` is a process, and is not started for a server that does not listen yet.
  if (!(await listens(address))) return false
  return spawnSync(join(postgresBin!, 'pg_isready'), ['-h', host, '-p', String(port), '-q']).status === 0
}

/** Whether a process listens on a port of loopback. */
export function isOpen(port: number): Promise<boolean> {
  return listens({ host: '127.0.0.1', port })
}

function listens(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })
}

function postgresPrograms(): string | undefined {
  const base = '/usr/lib/postgresql'
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(base, version, 'bin')).find((bin) => existsSync(join(bin, 'postgres')))
}

function userId(name: string): { readonly uid: number; readonly gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = (line ?? '').split(':').map(Number)
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${name}`)
  return { uid, gid }
}
