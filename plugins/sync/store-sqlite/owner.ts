/** Names the user to whom files of a service belong, for people who look at them as another user, such as root. */
import { lstatSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The name of the user who owns a path, or the nearest folder above it that can be seen; undefined if it is this user. */
export function foreignOwner(path: string): string | undefined {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  const uid = nearestOwner(resolve(path))
  return uid === own ? undefined : userName(uid)
}

/** The words that lead another user to the files of their owner. */
export function asOwner(owner: string): string {
  return `Run this as that user: sudo -u ${owner} …`
}

function nearestOwner(path: string): number {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found !== undefined) return found.uid
  } catch {
    // A folder on the way cannot be searched: its owner is the one to ask.
  }
  return nearestOwner(dirname(path))
}

/** The name in /etc/passwd; `'#1000'`, which sudo takes too, for a user of another directory. */
function userName(uid: number): string {
  const line = passwd().find((one) => one.split(':')[2] === String(uid))
  return line?.split(':')[0] ?? `'#${uid}'`
}

function passwd(): readonly string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n')
  } catch {
    return []
  }
}
