/** Finds the service that `make run` has started, for commands without settings that name another service. */
import { lstatSync, readFileSync } from 'node:fs'

/**
 * The settings of that service: `.build/run/<profile>/service.json` below the working folder. A file that is another user's,
 * a link, or open to others is not read: its socket may be anybody's. Undefined where the service does not run.
 */
export function findRunningService(profile: string): string | undefined {
  const folder = `.build/run/${profile}`
  const file = `${folder}/service.json`
  return isOurs(file) && isOurs(`${folder}/running.json`) && isAlive(`${folder}/running.json`) ? file : undefined
}

function isOurs(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile()) return false
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0)
}

/** Whether the process that a note names is there. */
function isAlive(note: string): boolean {
  try {
    const { pid } = JSON.parse(readFileSync(note, 'utf8')) as { pid: number }
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
