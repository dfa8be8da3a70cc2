/** Commands of a push that wait, unshown, until all that it pinned is here: each stands behind its parents. */
import type { LedgerReads, ReceiptStore } from '../../sync/capabilities.ts'
import { failBook } from './peer-registry.ts'

/** A command that waits. */
export interface StagedCommand {
  readonly id: string
  readonly parents: readonly string[]
  /** The envelope, canonical. */
  readonly text: string
}

/** The waiting commands of pushes, by the number of the push in the inbox. */
export interface Staged {
  /** Adds commands behind those that wait already; known ones stay where they are. Throws `rate_limited` over the bound. */
  add(inbox: number, peer: string, commands: readonly StagedCommand[]): Promise<void>
  /** Which of some ids wait. */
  known(inbox: number, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Ids and parents of all that wait, in their order. */
  graph(inbox: number): Promise<readonly Omit<StagedCommand, 'text'>[]>
  /** The texts of some, in their order. */
  texts(inbox: number, ids: readonly string[]): Promise<readonly string[]>
}

type Rows = Pick<LedgerReads, 'rows'>

/** Makes the waiting room; `maxBytes` is for all pushes of one peer. */
export function createStaged(store: Pick<ReceiptStore, 'read' | 'write'>, maxBytes: number, now: () => number): Staged {
  return {
    add: (inbox, peer, commands) =>
      store.write(({ rows }) => {
        const [open] = rows("SELECT 1 FROM peer_inbox WHERE no = ? AND state = 'received'", inbox)
        if (open === undefined) return
        const fresh = commands.filter(({ id }) => !isStaged({ rows }, inbox, id))
        const bytes = fresh.reduce((sum, { text }) => sum + text.length, 0)
        const [held] = rows<[bytes: number]>(
          "SELECT coalesce(sum(staged_bytes), 0) FROM peer_inbox WHERE peer = ? AND state = 'received'",
          peer,
        )
        if (held![0] + bytes > maxBytes)
          throw failBook('rate_limited', {
            message: 'Too much of this peer waits already; try again later.',
            headers: { 'retry-after': '60' },
          })
        const [last] = rows<[seq: number]>('SELECT coalesce(max(seq), 0) FROM peer_staged WHERE inbox = ?', inbox)
        let seq = last![0]
        for (const { id, parents, text } of fresh)
          rows('INSERT INTO peer_staged VALUES (?, ?, ?, ?, ?)', inbox, ++seq, id, parents.join(), text)
        rows(
          'UPDATE peer_inbox SET staged_bytes = staged_bytes + ?, touched_at_ms = ? WHERE no = ?',
          bytes,
          now(),
          inbox,
        )
      }),
    known: (inbox, ids) => store.read((ledger) => new Set(ids.filter((id) => isStaged(ledger, inbox, id)))),
    graph: (inbox) =>
      store.read(({ rows }) =>
        rows<[id: string, parents: string]>(
          'SELECT id, parents FROM peer_staged WHERE inbox = ? ORDER BY seq',
          inbox,
        ).map(([id, parents]) => ({ id, parents: parents === '' ? [] : parents.split(',') })),
      ),
    texts: (inbox, ids) =>
      store.read(({ rows }) =>
        ids.flatMap((id) =>
          rows<[text: string]>('SELECT command FROM peer_staged WHERE inbox = ? AND id = ?', inbox, id).map(
            ([text]) => text,
          ),
        ),
      ),
  }
}

/** Forgets what waits for a push. */
export function dropStaged({ rows }: Rows, inbox: number): void {
  rows('DELETE FROM peer_staged WHERE inbox = ?', inbox)
}

function isStaged({ rows }: Rows, inbox: number, id: string): boolean {
  return rows('SELECT 1 FROM peer_staged WHERE inbox = ? AND id = ?', inbox, id).length > 0
}
