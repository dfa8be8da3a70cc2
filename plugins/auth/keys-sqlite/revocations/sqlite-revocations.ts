/** Revocations in the SQLite store of the node, whatever `security.key_store` is. All of them are in memory too. */
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import { createSerialQueue } from '../../../../core/kernel/serial-queue.ts'
import type { NodeStore } from '../../../store/api.ts'
import type { Revocation, RevocationStore } from '../../api.ts'
import { createMemoryRevocationStore } from '../../revoked/memory-store.ts'
import { readDataVersion } from '../statements.ts'
import { deleteRevocation, putRevocation, readRevocations } from './statements.ts'

/** Revocations that outlive the process. */
export interface SqliteRevocations extends RevocationStore {
  /** Reads the revocations of the store, before anything is served. Returns the subjects of damaged rows. */
  load(): Promise<readonly string[]>
  /**
   * Takes over what another process on the same store has changed. Costs one small read if no other process has
   * written.
   */
  refresh(): Promise<void>
}

/** Creates the store. */
export function createSqliteRevocations(store: Pick<NodeStore, 'read' | 'write'>): SqliteRevocations {
  /** Expired rows that the memory store has removed, and that the next write removes from the disk. */
  const removed = new Map<string, Revocation>()
  const memory = createMemoryRevocationStore((row) => removed.set(JSON.stringify(row), row))
  // One at a time, so that numbers are given out in the order in which they are written.
  const inTurn = createSerialQueue()
  const seen = { version: 0, change: -1 }

  const write = async (rows: readonly Revocation[]): Promise<void> => {
    const dead = [...removed.values()]
    try {
      await store.write((ledger) => {
        for (const one of dead) deleteRevocation(ledger, one)
        for (const row of rows) putRevocation(ledger, row)
      })
    } catch (cause) {
      throw httpFail('overloaded', {
        message: 'Revocations cannot be written at the moment.',
        headers: { 'retry-after': '1' },
        cause,
      })
    }
    removed.clear()
    memory.take(rows)
  }
  const change = (draft: () => Revocation | null): Promise<Revocation | null> =>
    inTurn(async () => {
      const row = draft()
      if (row !== null) await write([row])
      return row
    })
  const load = async (): Promise<readonly string[]> => {
    const { revocations, damaged } = await store.read((ledger) => {
      seen.version = readDataVersion(ledger)
      return readRevocations(ledger, seen.change)
    })
    for (const row of revocations) seen.change = Math.max(seen.change, row.change)
    memory.take(revocations)
    return damaged
  }
  return {
    durable: true,
    revoke: (draft, nowMs, bounds) => change(() => memory.draft(draft, nowMs, bounds)),
    lift: (subject, nowMs) => change(() => memory.draftLift(subject, nowMs)),
    eraseReasons: (subject) =>
      inTurn(async () => {
        const rows = memory.draftErasure(subject)
        if (rows.length > 0) await write(rows)
        return rows.length
      }),
    follow: memory.follow,
    load,
    async refresh() {
      const version = await store.read(readDataVersion)
      if (version !== seen.version) await inTurn(load)
    },
  }
}
