/**
 * The folder of a service that `make run` starts, `.build/run/<profile>/`: its state, its settings, and a command `svc` that
 * reads them. The secret is made once and stays, so that a token of yesterday counts today.
 */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDir } from '../build/paths.ts'

/** What runs in the folder. */
export interface Running {
  readonly pid: number
  /** Host and port. */
  readonly address: string
}

/** The folder of one profile. */
export interface RunFolder {
  readonly path: string
  /** `service.json`, mode 0600: the settings of the service, its secret included. */
  readonly config: string
  /** `svc`: the program of the profile with these settings. */
  readonly launcher: string
  /** The socket of the local surface, where the profile has one. */
  readonly socket: string | undefined
  has(setting: string): boolean
  /** The service that was started here and is alive. */
  running(): Promise<Running | undefined>
  started(running: Running): void
  stopped(): void
}

/** Makes the folder where it is missing; what is in it stays. */
export function openRunFolder(profile: string, program: string, settings: readonly string[]): RunFolder {
  const path = join(buildDir('run'), profile)
  const has = (setting: string): boolean => settings.includes(setting)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const socket = has('sync.socket_path') ? socketPath(path) : undefined
  const config = join(path, 'service.json')
  if (!existsSync(config)) writeFileSync(config, firstSettings(path, socket, has), { mode: 0o600 })
  const launcher = join(path, 'svc')
  writeFileSync(
    launcher,
    `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(program)} "$@" --config ${quoted(config)}\n`,
  )
  chmodSync(launcher, 0o700)
  const note = join(path, 'running.json')
  return {
    path,
    config,
    launcher,
    socket,
    has,
    running: async () => {
      const running = readNote(note)
      return running !== undefined && (await isAlive(running)) ? running : undefined
    },
    started: (running) => {
      // A note that is left over keeps its mode when it is written again.
      rmSync(note, { force: true })
      writeFileSync(note, `${JSON.stringify(running)}\n`, { mode: 0o600 })
    },
    stopped: () => rmSync(note, { force: true }),
  }
}

/** Of the settings that a first start needs those that the profile has. */
function firstSettings(path: string, socket: string | undefined, has: (setting: string) => boolean): string {
  const values: Readonly<Record<string, string | undefined>> = {
    'security.jwt_secret': randomBytes(32).toString('base64url'),
    'security.key_store': 'sqlite',
    'storage.dir': join(path, 'state'),
    'sync.socket_path': socket,
  }
  const families: Record<string, Record<string, string>> = {}
  for (const [key, value] of Object.entries(values)) {
    const [family, name] = key.split('.') as [string, string]
    if (value !== undefined && has(key)) (families[family] ??= {})[name] = value
  }
  return `${JSON.stringify(families, null, 2)}\n`
}

/** Linux takes 107 bytes for the path of a socket, macOS 103 (unix(7), unix(4)). */
const MAX_SOCKET_PATH = 100

/** In the folder itself, or in a short one of the same user where its path is too long for a socket. */
function socketPath(folder: string): string {
  const near = join(folder, 'state', 'run', 'sync.sock')
  if (Buffer.byteLength(near) <= MAX_SOCKET_PATH) return near
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  return join(tmpdir(), `svc-run-${process.getuid?.() ?? 0}-${hash}`, 'sync.sock')
}

/** A note that was cut off while it was written says nothing. */
function readNote(file: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Running
  } catch {
    return undefined
  }
}

/** By both, since a number of a process may be another's by now, and so may a port. */
async function isAlive({ pid, address }: Running): Promise<boolean> {
  try {
    process.kill(pid, 0)
    const { ok } = await fetch(`http://${address}/health`, { signal: AbortSignal.timeout(2_000) })
    return ok
  } catch {
    return false
  }
}

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
