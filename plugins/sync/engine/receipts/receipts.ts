/** Turns stored pushes into receipts, and records steps of pushes: the event and the new state in one transaction. */

import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'
import type { PushReceipt, ReceiptEvent } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { Ledger, LedgerReads, StoredPush } from '../store/api.ts'

/** A step of a push: its event, and the members of the push that change with it. */
export interface Step {
  readonly event: Omit<ReceiptEvent, 'sequence'>
  readonly change?: Partial<StoredPush>
}

/** The push with an id, in either case. Throws `push_not_found`. */
export function requirePush(ledger: Pick<LedgerReads, 'push'>, pushId: string): StoredPush {
  const push = ledger.push(pushId.toLowerCase())
  if (push === undefined) throw fail('push_not_found')
  return push
}

/** The receipt of a push with all its events. */
export function toReceipt(ledger: Pick<LedgerReads, 'events'>, push: StoredPush): PushReceipt {
  return receiptOf(push, ledger.events(push, 0, push.lastSequence))
}

/** The receipt of a push with events that were read before. */
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

/** Takes steps in order, then applies `last` to the push, and writes the push once. Returns the new push. */
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
