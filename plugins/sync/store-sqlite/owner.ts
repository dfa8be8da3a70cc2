/** Names the user to whom files of a service belong, for people who look at them as another user, such as root. */
import { lstatSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Another user, as messages name it. */
export interface Owner {
  /**
   * The name in /etc/passwd, or `#1000` for a user of another directory, such as one that systemd made for one service.
   */
  readonly name: string
  readonly uid: number
}

/** The user who owns a path, or the nearest folder above it that can be seen; undefined if it is this user. */
export function foreignOwner(path: string): Owner | undefined {
  const ownUid = process.getuid?.()
  if (ownUid === undefined) return undefined
  const uid = nearestOwner(resolve(path))
  return uid === ownUid ? undefined : { name: userName(uid) ?? `#${uid}`, uid }
}

/** The words that lead another user to the files of their owner. */
export function asOwner({ name, uid }: Owner): string {
  return `Run this as that user: ${becoming(name, uid)} svc …`
}

/**
 * Root needs no program that is not on every system. sudo does not take a number that is in no directory, and setpriv
 * does.
 */
function becoming(name: string, uid: number): string {
  if (process.getuid?.() !== 0 || process.platform !== 'linux')
    return `sudo -u ${name.startsWith('#') ? `'${name}'` : name}`
  return name.startsWith('#') ? `setpriv --reuid=${uid} --clear-groups` : `runuser -u ${name} --`
}

function nearestOwner(path: string): number {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats !== undefined) return stats.uid
  } catch {
    // A folder on the way cannot be searched: its owner is the one to ask.
  }
  return nearestOwner(dirname(path))
}

function userName(uid: number): string | undefined {
  const line = passwd().find((one) => one.split(':')[2] === String(uid))
  return line?.split(':')[0]
}

function passwd(): readonly string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n')
  } catch {
    return []
  }
}
