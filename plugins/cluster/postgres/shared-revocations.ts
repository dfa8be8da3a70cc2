import type { Revocation, RevocationBounds, RevocationDraft, RevocationStore, Subject } from '../../auth/api.ts'
import type { Database } from './database.ts'
import { lastRevocation, liftRevocation, revocationsAfter, revokeUser } from './revocation-statements.ts'

/** What `SharedRevocations` works with. */
export interface SharedRevocationsOptions {
  readonly database: Database
  /** Runs work on the database, and turns its failure into `overloaded`. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T>
  /** Throws `overloaded` if the last answer of PostgreSQL is too old. */
  readonly checkAge: () => void
}

/** The revocations of a cluster. Each node has all of them, and follows their changes as it follows those of the keys. */
export class SharedRevocations implements RevocationStore {
  readonly durable = true
  readonly checkAge: () => void
  readonly #options: SharedRevocationsOptions
  readonly #listeners = new Set<(changed: readonly Revocation[]) => void>()
  /** Number of the last change that this node has read. */
  #seq = 0

  constructor(options: SharedRevocationsOptions) {
    this.#options = options
    this.checkAge = options.checkAge
  }

  revoke(draft: RevocationDraft, nowMs: number, bounds: RevocationBounds): Promise<Revocation | null> {
    return this.#change((tx) => revokeUser(tx, draft, nowMs, bounds))
  }

  lift(subject: Subject, nowMs: number): Promise<Revocation | null> {
    return this.#change((tx) => liftRevocation(tx, subject, nowMs))
  }

  follow(listener: (changed: readonly Revocation[]) => void): void {
    this.#listeners.add(listener)
  }

  /** Reads and applies all changes. Rejects if PostgreSQL does not answer. */
  async read(): Promise<void> {
    const { database } = this.#options
    const last = await database.run(lastRevocation)
    // The database was restored from a backup. Revocations that it has lost stay in force on this node.
    if (last < this.#seq) this.#seq = 0
    while (this.#seq < last) {
      const after = this.#seq
      const changed = await database.run((sql) => revocationsAfter(sql, after))
      this.#seq = changed.at(-1)?.change ?? last
      this.#announce(changed)
    }
  }

  async #change(work: Parameters<Database['change']>[0]): Promise<Revocation | null> {
    const { database, attempt } = this.#options
    const row = (await attempt(() => database.change(work))) as Revocation | null
    if (row !== null) this.#announce([row])
    return row
  }

  #announce(changed: readonly Revocation[]): void {
    if (changed.length === 0) return
    const inOrder = [...changed].sort((one, other) => one.number - other.number)
    for (const listener of this.#listeners) listener(inOrder)
  }
}
