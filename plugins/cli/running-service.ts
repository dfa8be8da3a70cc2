/** The service that `make run` has started in `.build/run/<profile>/`. */
import { lstatSync, readFileSync } from 'node:fs'
import type { Environment } from './environment.ts'

/** The content of `running.json`, which exists while the service runs. */
export interface RunningService {
  readonly pid: number
  /** Host and port. */
  readonly address: string
}

/**
 * Reads `running.json`. Undefined if there is none, if it was cut off while it was written, or if its process has
 * ended.
 */
export function readRunningService(file: string): RunningService | undefined {
  try {
    const service = JSON.parse(readFileSync(file, 'utf8')) as RunningService
    // Other numbers address groups of processes (kill(2)).
    if (!Number.isInteger(service.pid) || service.pid < 1) return undefined
    process.kill(service.pid, 0)
    return service
  } catch {
    return undefined
  }
}

/** The name of a variable that sets a setting. */
const SETTING = /^SVC_.+__/

/**
 * The settings of the running service, `service.json` below the working folder, for a command without `--config`.
 * Returns undefined if a variable sets a setting, because the caller then means another service. A file of another
 * user, a link, and a file that others may read are ignored, because another user could have named the socket in it.
 */
export function findRunningService(profile: string, environment: Environment): string | undefined {
  if (Object.keys(environment).some((name) => SETTING.test(name))) return undefined
  const folder = `.build/run/${profile}`
  const [settings, running] = [`${folder}/service.json`, `${folder}/running.json`]
  const isRunning = isOurs(settings) && isOurs(running) && readRunningService(running) !== undefined
  return isRunning ? settings : undefined
}

function isOurs(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) return false
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0)
}
