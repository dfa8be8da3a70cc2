/**
 * Checkpoints: signed heads of the audit chain. A chain that was rewritten or cut off contradicts its checkpoints,
 * unless the key of the node signed new ones.
 */

import type { AuditChain, AuditHead, AuditVerdict, CheckpointStatement, EndpointKey } from '../../sync/api.ts'
import type { ReceiptStore, SyncShared } from '../../sync/capabilities.ts'
import { auditOf } from '../engine/ledgers.ts'

/** Milliseconds between two reads of the head of the chain. */
const LOOK_MS = 1_000
/** Entries that are compared in one turn of the loop. */
const SLICE = 256

/** A signed statement. */
export interface Checkpoint extends CheckpointStatement {
  /** Standard base64, over the RFC 8785 form of the other members. */
  readonly signature: string
}

/** The result of a walk over the chain. */
export interface ChainVerdict extends AuditVerdict {
  /** The last checkpoint. */
  readonly checkpoint: Checkpoint | null
}

/** The checkpoints of a node. */
export interface Checkpoints {
  start(): void
  /** Signs the present head, if no checkpoint covers it. */
  stop(): Promise<void>
  /** Walks the whole chain. Other work of the event loop goes on meanwhile. */
  verify(): Promise<ChainVerdict>
}

/** The parts of checkpoints. */
export interface CheckpointParts {
  /** A checkpoint is due after so many entries, */
  readonly everyEntries: number
  /** and after this time if there are new entries. */
  readonly everyMs: number
  readonly store: ReceiptStore
  readonly shared: SyncShared
  readonly key: () => EndpointKey
  readonly clock: {
    now(): number
    monotonic(): number
    setTimeout(run: () => void, delayMs: number): unknown
    clearTimeout(timer: unknown): void
  }
  readonly yieldLoop: () => Promise<void>
  readonly failed: (error: unknown) => void
}

/** Makes the checkpoints of a node. */
export function createCheckpoints(parts: CheckpointParts): Checkpoints {
  const { store, shared, clock, key, everyEntries, everyMs } = parts
  let timer: unknown
  let stopped = false
  let lastMs = clock.monotonic()
  const last = (audit: AuditChain): Checkpoint | null => {
    const stored = audit.checkpoint()
    return stored === undefined ? null : { context: 'svc-audit-checkpoint-1', ...stored }
  }
  const isSigned = async (checkpoint: Checkpoint): Promise<boolean> => {
    const { signature, ...statement } = checkpoint
    const publicKey = shared.fromKeyId(`ed25519:${checkpoint.endpointId}`)
    const bytes = shared.fromBase64(signature)
    if (publicKey === undefined || bytes?.length !== 64 || checkpoint.endpointId !== key().endpointId) return false
    return shared.verify(bytes, new TextEncoder().encode(shared.canonicalText(statement)), publicKey)
  }
  /** The number of entries that no checkpoint covers. */
  const uncovered = (): Promise<number> =>
    store.read((reads) => auditOf(reads).head().seq - (auditOf(reads).checkpoint()?.seq ?? 0))
  const sign = (): Promise<void> =>
    store.write((ledger) => {
      const audit = auditOf(ledger)
      if (audit.head().seq > (audit.checkpoint()?.seq ?? 0)) audit.signHead(key(), clock.now())
    })
  const look = async (): Promise<void> => {
    const count = await uncovered()
    const isDue = count >= everyEntries || (count > 0 && clock.monotonic() - lastMs >= everyMs)
    if (!isDue) return
    await sign()
    lastMs = clock.monotonic()
  }
  const step = (): void => {
    look()
      .catch(parts.failed)
      .finally(() => {
        if (!stopped) timer = clock.setTimeout(step, LOOK_MS)
      })
  }

  return {
    start() {
      timer = clock.setTimeout(step, LOOK_MS)
    },
    async stop() {
      stopped = true
      clock.clearTimeout(timer)
      await sign().catch(parts.failed)
    },
    async verify() {
      const checkpoint = await store.read((reads) => last(auditOf(reads)))
      const isOurs = checkpoint === null || (await isSigned(checkpoint))
      let count = 0
      let from: AuditHead | undefined
      for (;;) {
        const slice = await store.read((reads) => auditOf(reads).verify(from, SLICE, checkpoint ?? undefined))
        count += slice.count
        from = slice.head
        if (slice.ok && slice.count === SLICE) {
          await parts.yieldLoop()
          continue
        }
        const { firstBad } = slice
        // A checkpoint that this node did not sign proves nothing: its entry is the first bad one.
        const bad = firstBad ?? (isOurs ? null : checkpoint.seq)
        return { ok: bad === null, count, head: slice.head, firstBad: bad, checkpoint }
      }
    },
  }
}
