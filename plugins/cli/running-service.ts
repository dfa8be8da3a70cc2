/** Finds the service that `make run` has started, for commands without settings that name another service. */
import { lstatSync } from 'node:fs'

/**
 * The settings of that service: `.build/run/<profile>/service.json` below the working folder. A file that is another user's,
 * a link, or open to others is not read: its socket may be anybody's.
 */
export function findRunningService(profile: string): string | undefined {
  const file = `.build/run/${profile}/service.json`
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile()) return undefined
  const isOurs = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0)
  return isOurs ? file : undefined
}
