/** Starts a NATS server that is part of a cluster. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChildExit, startChild } from '../child.ts'
import { clusteredNats, fileStoreBytes } from './engines.ts'

/** A NATS server of a cluster. */
export interface NatsServer {
  /** `s0`, `s1` … */
  readonly name: string
  readonly port: number
  /** Port of its monitoring. */
  readonly monitorPort: number
  readonly pid: number
  /** Its `store_dir`. */
  readonly store: string
  /** The log of the current process; empty with a `logFile`. */
  readonly log: string
  /** Resolves when the current process ends. */
  readonly exited: Promise<ChildExit>
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Restarts the server after it has ended. Does not wait until it answers. */
  start(): void
  /** Deletes the store, as if the disk were replaced. Call this only while the server is stopped. */
  wipe(): void
  stop(): Promise<void>
}

/** Options of {@link startNatsServer}. */
export interface NatsServerOptions {
  readonly name: string
  /** Folder for the configuration and the data. */
  readonly folder: string
  readonly port: number
  /** Port of its monitoring. Every process on this machine can read its state there, but no messages. */
  readonly monitorPort: number
  /** The configuration, except name, addresses and JetStream. */
  readonly config: string
  /** Environment variables that the configuration refers to. */
  readonly variables?: Readonly<Record<string, string>>
  readonly isDetached?: boolean
  /** File for the log, for long runs. */
  readonly logFile?: string
}

/** Starts a server with JetStream on loopback. */
export function startNatsServer(options: NatsServerOptions): NatsServer {
  const { name, folder, port, monitorPort, config, variables = {}, isDetached = false, logFile } = options
  const file = join(folder, 'nats.conf')
  const store = join(folder, 'store')
  const lines = [
    `server_name: ${name}`,
    `listen: 127.0.0.1:${port}`,
    `http: 127.0.0.1:${monitorPort}`,
    `jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: ${fileStoreBytes} }`,
  ]
  writeFileSync(file, `${[...lines, config].join('\n')}\n`)
  const spawn = () =>
    startChild(clusteredNats, {
      ...{ args: ['-c', file], cwd: folder, env: { ...process.env, ...variables }, isDetached },
      ...(logFile !== undefined && { logFile }),
    })
  let child = spawn()
  return {
    name,
    port,
    monitorPort,
    store,
    get pid() {
      return child.pid
    },
    get log() {
      return child.err
    },
    get exited() {
      return child.exited
    },
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await child.exited
    },
    start: () => {
      child = spawn()
    },
    wipe: () => rmSync(store, { recursive: true, force: true }),
    stop: async () => void (await child.stop('SIGKILL')),
  }
}
