/** What a platform supplies for a store with grouped commits. */
import type { Awaitable } from '../../../../core/awaitable.ts'
import type { Explain, OpenStore } from './open-store.ts'

/** What a platform supplies. */
export interface GroupBacking<Opened extends OpenStore = OpenStore> {
  /** The open database; opens it if needed. Throws if it cannot be used now. */
  open(): Awaitable<Opened>
  /** Called before reads outside of a transaction. Throws if the database may be gone. */
  beforeRead?(opened: Opened): void
  /** Called after all writes, before the commit. Throws if the commit would be lost. */
  beforeCommit?(opened: Opened): void
  /** Called after the commit; resolves once it is on the medium. After a failure `open` must start from the medium. */
  persist?(): Promise<void>
  /** Runs the flush after this turn of the event loop. */
  schedule(flush: () => void): void
  /** Milliseconds on a monotonic clock, if others wait for the event loop. */
  now?(): number
  /** If other processes may lock the database: whether an error means that, and how to wait without blocking the event loop. */
  readonly sharing?: { isBusy(error: unknown): boolean; pause(delayMs: number): Promise<unknown> }
  readonly explain?: Explain
  close(): Promise<void>
}
