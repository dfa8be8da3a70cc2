/** Renews the mark of a store while its service runs. */
import type { SqlDriver } from '../../store/api.ts'
import { isBusy } from './sqlite-driver.ts'
import { type FileIdentity, logPath, sizeOf } from './store-files.ts'
import { hasCommits, renewMark } from './store-mark.ts'

/**
 * The mark of a store with new commits is renewed after this time, so that a copy of an earlier state has another mark.
 * It costs some syncs to disk, during which nothing else is done.
 */
const EVERY_MS = 60_000

/** What a renewal needs of an open store. */
export interface MarkedStore {
  readonly driver: SqlDriver
  readonly identity: FileIdentity
  /** Opened on a full disk. */
  readonly isWithoutRoom: boolean
  /** Ends the snapshot of reads, if there is one. */
  release(): void
}

/**
 * Creates the renewal of a store whose mark is new. The returned function renews the mark if a minute has passed since,
 * and there were commits. If another process writes at this moment, the mark is renewed a minute later.
 */
export function createMarkRenewal(path: string, now: () => number): (store: MarkedStore) => void {
  let atMs = now()
  return ({ driver, identity, isWithoutRoom, release }) => {
    if (isWithoutRoom || now() - atMs < EVERY_MS) return
    atMs = now()
    if (!hasCommits(sizeOf(logPath(path)))) return
    identity.verify()
    release()
    try {
      renewMark(path, driver, true)
    } catch (error) {
      if (!isBusy(error)) throw error
    }
  }
}
