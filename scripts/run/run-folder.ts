/**
 * The folder of a service that `make run` starts, `.build/run/<profile>/`. It contains the state, the settings, a
 * command `svc` that reads the settings, and the key of a device, so that the console can change boards immediately.
 * The secret and the key are created once and kept, so that earlier tokens stay valid.
 */
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readConfig } from '../../plugins/cli/config-file.ts'
import { type RunningService, readRunningService } from '../../plugins/cli/running-service.ts'
import { buildDir } from '../build/paths.ts'
import { runFail } from './errors.ts'
import { writeLauncher } from './launcher.ts'

/** The folder of one profile. */
export interface RunFolder {
  readonly path: string
  /** `service.json`, mode 0600: the settings of the service, including its secret. */
  readonly config: string
  /** `svc`: the program of the profile with these settings. */
  readonly launcher: string
  /** The socket of the local surface; undefined if the profile has none. */
  readonly socket: string | undefined
  /** The private key of a device that may change the boards of project `demo`; undefined until it is enrolled. */
  readonly deviceKey: string | undefined
  has(setting: string): boolean
  /**
   * Creates and enrols that device, unless an earlier run did. Throws an error with the command's output if it fails.
   */
  enrolDevice(): void
  /** The running service that was started in this folder; undefined if there is none. */
  running(): Promise<RunningService | undefined>
  started(service: RunningService): void
  stopped(): void
}

/**
 * Creates the folder if it is missing. Existing state and settings are kept, except the paths, because the folder can
 * have been moved.
 * @throws SvcError `ERR_RUN_FOLDER` if an existing folder is not private, `ERR_SETTINGS_INVALID` if `service.json` is
 *   not JSON
 */
export function openRunFolder(
  profile: string,
  program: string,
  settings: readonly string[],
  base: string = buildDir('run'),
): RunFolder {
  const path = join(base, profile)
  const has = (setting: string): boolean => settings.includes(setting)
  makePrivate(path)
  const socket = has('sync.socket_path') ? socketPath(path) : undefined
  const config = join(path, 'service.json')
  writeSettings(config, has, {
    'security.jwt_secret': randomBytes(32).toString('base64url'),
    'security.delegation': true,
    'security.key_store': 'sqlite',
    'realtime.run_store': 'sqlite',
    'storage.dir': join(path, 'state'),
    'sync.socket_path': socket,
  })
  const launcher = join(path, 'svc')
  writeLauncher(launcher, program, { args: ['--config', config] })
  const note = join(path, 'running.json')
  const key = join(path, 'device.key')
  const svc = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(launcher, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`svc ${args.join(' ')}: ${stderr.trim()}`)
  }
  return {
    path,
    config,
    launcher,
    socket,
    has,
    get deviceKey() {
      return existsSync(key) ? key : undefined
    },
    enrolDevice: () => {
      if (existsSync(key)) return
      // The key gets its final name after the enrolment, so that an interrupted run is repeated by the next one.
      const fresh = `${key}.new`
      for (const file of [fresh, `${fresh}.pub`]) rmSync(file, { force: true })
      svc('device', 'keygen', '--out', fresh)
      svc('device', 'enroll', '--key', `${fresh}.pub`, '--scope', 'kbd-control:demo', '--label', 'make run')
      renameSync(`${fresh}.pub`, `${key}.pub`)
      renameSync(fresh, key)
    },
    running: async () => {
      const service = readRunningService(note)
      return service !== undefined && (await answers(service)) ? service : undefined
    },
    started: (service) => {
      // Writing an existing file would keep its mode.
      rmSync(note, { force: true })
      writeFileSync(note, `${JSON.stringify(service)}\n`, { mode: 0o600 })
    },
    stopped: () => rmSync(note, { force: true }),
  }
}

/**
 * Makes the folder if it is missing. Throws `ERR_RUN_FOLDER` if it is a link or no folder, or if others have access to
 * it: they could have put their settings and their program there, and could read the secret.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stats = lstatSync(path)
  const why = stats.isSymbolicLink()
    ? 'is a link'
    : !stats.isDirectory()
      ? 'is no folder'
      : stats.uid !== (process.getuid?.() ?? stats.uid)
        ? `belongs to user ${stats.uid}`
        : process.platform !== 'win32' && (stats.mode & 0o077) !== 0
          ? `has mode 0${(stats.mode & 0o7777).toString(8)}`
          : undefined
  if (why !== undefined) throw runFail('ERR_RUN_FOLDER', { message: `${path} ${why}.` })
}

type Settings = Record<string, Record<string, unknown>>

/** Settings that depend on the path of the folder. */
const PATHS: ReadonlySet<string> = new Set(['storage.dir', 'sync.socket_path'])

/** Adds missing settings that the profile has, and updates the paths. */
function writeSettings(
  file: string,
  has: (setting: string) => boolean,
  values: Readonly<Record<string, string | boolean | undefined>>,
): void {
  const settings: Settings = existsSync(file) ? (readConfig(file) as Settings) : {}
  for (const [key, value] of Object.entries(values)) {
    const [family, name] = key.split('.') as [string, string]
    if (value === undefined || !has(key)) continue
    const members = (settings[family] ??= {})
    if (PATHS.has(key) || members[name] === undefined) members[name] = value
  }
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  // Writing an existing file keeps its mode.
  chmodSync(file, 0o600)
}

/** Longest path of a socket in bytes. Linux allows 107, macOS 103 (unix(7), unix(4)). */
const MAX_SOCKET_PATH = 100

/**
 * Path of the socket: in the folder itself, or in a short folder of the same user if that path is too long for a
 * socket.
 */
function socketPath(folder: string): string {
  const near = join(folder, 'state', 'run', 'sync.sock')
  if (Buffer.byteLength(near) <= MAX_SOCKET_PATH) return near
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  return join(tmpdir(), `svc-run-${process.getuid?.() ?? 0}-${hash}`, 'sync.sock')
}

/**
 * Whether the service answers. The process id alone is not enough, because the id or the port can belong to another
 * process by now.
 */
async function answers({ address }: RunningService): Promise<boolean> {
  try {
    return (await fetch(`http://${address}/health`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}
