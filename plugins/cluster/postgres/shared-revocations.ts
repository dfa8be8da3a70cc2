import type { Revocation, RevocationBounds, RevocationDraft, RevocationStore, Subject } from '../../auth/api.ts'
import type { Database } from './database.ts'
import type { SharedKeyStore } from './key-store.ts'
import { eraseReasons, lastRevocation, liftRevocation, revocationsAfter, revokeUser } from './revocation-statements.ts'

/**
 * The revocations of a cluster. Each node has all of them, and follows their changes as it follows those of the keys.
 */
export class SharedRevocations implements RevocationStore {
  readonly durable = true
  readonly checkAge: () => void
  readonly #database: Database
  readonly #keys: Pick<SharedKeyStore, 'attempt'>
  readonly #listeners = new Set<(changed: readonly Revocation[]) => void>()
  /** Number of the last change that this node has read. */
  #seq = 0

  /** The store of the keys knows how old the last answer of PostgreSQL is, and reads the revocations with the keys. */
  constructor(database: Database, keys: Pick<SharedKeyStore, 'attempt' | 'checkAge'>) {
    this.#database = database
    this.#keys = keys
    this.checkAge = keys.checkAge
  }

  revoke(draft: RevocationDraft, nowMs: number, bounds: RevocationBounds): Promise<Revocation | null> {
    return this.#change((tx) => revokeUser(tx, draft, nowMs, bounds))
  }

  lift(subject: Subject, nowMs: number): Promise<Revocation | null> {
    return this.#change((tx) => liftRevocation(tx, subject, nowMs))
  }

  async eraseReasons(subject: Subject): Promise<number> {
    const changed = await this.#keys.attempt(() => this.#database.change((tx) => eraseReasons(tx, subject)))
    this.#announce(changed)
    return changed.length
  }

  follow(listener: (changed: readonly Revocation[]) => void): void {
    this.#listeners.add(listener)
  }

  /** Reads and applies all changes. Rejects if PostgreSQL does not answer. */
  async read(): Promise<void> {
    const database = this.#database
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
    const row = (await this.#keys.attempt(() => this.#database.change(work))) as Revocation | null
    if (row !== null) this.#announce([row])
    return row
  }

  #announce(changed: readonly Revocation[]): void {
    if (changed.length === 0) return
    const inOrder = [...changed].sort((one, other) => one.number - other.number)
    for (const listener of this.#listeners) listener(inOrder)
  }
}
