/**
 * Reads of one turn of the event loop share a snapshot, so that the file is locked once for all of them. Devices and
 * projects, which most requests need, are cached as long as they cannot change: within a snapshot, or within our own
 * transaction.
 */
import type { Device } from '../api.ts'
import type { Ledger } from '../engine/store/api.ts'
import type { OpenStore } from '../engine/store/open-store.ts'

/** An open store whose reads can share a snapshot. */
export interface SharedReads extends OpenStore {
  /** Called before a read. From here to the end of this turn of the event loop, all reads see one state. */
  share(): void
  /** Ends the snapshot, if there is one. */
  release(): void
}

/** Control statements after which cached rows stay valid: a savepoint that begins, or that is released. */
const HARMLESS: ReadonlySet<string> = new Set(['SAVEPOINT job', 'RELEASE job'])

/** Lets the reads of a store share. A transaction that writes ends the snapshot first. */
export function shareReads(store: OpenStore): SharedReads {
  const cache = keepRows(store.ledger)
  let sharing = false
  const release = (): void => {
    if (!sharing) return
    sharing = false
    cache.forget()
    store.control('COMMIT')
  }
  return {
    ...store,
    ledger: cache.ledger,
    control(sql) {
      if (!HARMLESS.has(sql)) {
        release()
        cache.forget()
      }
      store.control(sql)
    },
    share() {
      if (sharing) return
      store.control('BEGIN')
      sharing = true
      setImmediate(() => {
        try {
          release()
        } catch {
          // SQLite has ended the snapshot by itself. The reads were answered; the next read begins a new snapshot.
        }
      })
    },
    release,
  }
}

/** A ledger that caches devices and projects until `forget` is called or it writes them itself. */
function keepRows(ledger: Ledger): { readonly ledger: Ledger; forget(): void } {
  const devices = new Map<string, Device | undefined>()
  const heads = new Map<string, readonly string[] | undefined>()
  const forget = (): void => {
    devices.clear()
    heads.clear()
  }
  const headsOf = (project: string): readonly string[] | undefined => keep(heads, project, ledger.heads)
  return {
    forget,
    ledger: {
      ...ledger,
      device: (keyId) => keep(devices, keyId, ledger.device),
      heads: headsOf,
      hasProject: (project) => headsOf(project) !== undefined,
      setHeads(project, newHeads) {
        heads.delete(project)
        ledger.setHeads(project, newHeads)
      },
      enrol(device, projects) {
        forget()
        ledger.enrol(device, projects)
      },
      revoke(keyId, atMs, reason) {
        devices.delete(keyId)
        ledger.revoke(keyId, atMs, reason)
      },
    },
  }
}

function keep<T>(rows: Map<string, T | undefined>, name: string, read: (name: string) => T | undefined): T | undefined {
  const cachedRow = rows.get(name)
  if (cachedRow !== undefined || rows.has(name)) return cachedRow
  const row = read(name)
  rows.set(name, row)
  return row
}
