/** How a stored push becomes a receipt, and how it takes a step: state and event in one transaction. */

import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'
import type { PushReceipt, ReceiptEvent } from '../../api.ts'
import type { Ledger, LedgerReads, StoredPush } from '../store/api.ts'

/** A step of a push: what its event says, and what changes with it. */
export interface Step {
  readonly event: Omit<ReceiptEvent, 'sequence'>
  readonly change?: Partial<StoredPush>
}

/** The receipt of a push with all its events. */
export function toReceipt(ledger: Pick<LedgerReads, 'events'>, push: StoredPush): PushReceipt {
  return receiptOf(push, ledger.events(push, 0, push.lastSequence))
}

/** The same with events that are at hand. */
export function receiptOf(push: Omit<StoredPush, 'no'>, events: readonly ReceiptEvent[]): PushReceipt {
  return {
    schemaVersion: PUSH_SCHEMA_VERSION,
    pushId: push.pushId,
    canonicalPayloadHash: push.hash,
    domain: push.domain,
    targets: push.targets,
    localState: push.localState,
    frontier: push.frontier,
    revision: push.revision,
    origin: push.origin,
    perPeer: push.perPeer,
    createdAtMs: push.createdAtMs,
    updatedAtMs: push.updatedAtMs,
    events,
  }
}

/**
 * Takes steps one after the other and writes the push once, with what `last` makes of it after them. Gives back the push as it
 * stands now.
 */
export function takeSteps(
  ledger: Ledger,
  push: StoredPush,
  steps: readonly Step[],
  last?: (push: StoredPush) => StoredPush,
): StoredPush {
  const events: ReceiptEvent[] = []
  let now = push
  for (const { event, change } of steps) {
    const sequence = now.lastSequence + 1
    events.push({ sequence, ...event })
    now = { ...now, ...change, lastSequence: sequence, updatedAtMs: event.atMs }
  }
  const made = last?.(now) ?? now
  if (events.length > 0) ledger.insertEvents(push.no, events)
  if (made !== push) ledger.updatePush(made)
  return made
}
