/**
 * Check 18 of the list in ../admission/submit-push.ts: the frontier, the preparation, the application, three events and
 * the outbox, in one transaction. The store may have changed since the earlier checks, so the idempotency key is
 * checked again inside the transaction.
 */
import {
  type Execute,
  findReplay,
  insertPush,
  type PushCaller,
  requireFrontier,
  unprepared,
} from '../admission/admitted.ts'
import type { Ledger, ReceiptStore } from '../store/api.ts'
import { createHostedExecute } from './hosted.ts'

declare const __SYNC_API__: boolean

/** Creates the executor of a store. */
export function createExecute(store: ReceiptStore, now: () => number): Execute {
  const executeHosted = createHostedExecute(store, now)
  return (push) => {
    const { application } = push.family
    if (application.kind === 'hosted') return executeHosted(push, application)
    // All families of embedded hosts are hosted, so that their library leaves out the rest.
    if (typeof __SYNC_API__ !== 'undefined' && !__SYNC_API__) throw unprepared(undefined)
    return store.write((ledger) => {
      push.authorise?.(ledger)
      const replay = findReplay(ledger, push.envelope)
      if (replay !== undefined) return replay
      try {
        if (push.expectedFrontier !== null)
          requireFrontier(push.expectedFrontier, application.frontier(ledger, push.project))
        const envelope = push.family.prepare(push.envelope)
        const pinned = application.apply(toCaller(ledger, push.caller), push.project, envelope)
        return { status: 201, receipt: insertPush(ledger, push, envelope, now(), 'applied_locally', pinned) }
      } catch (cause) {
        throw unprepared(cause)
      }
    })
  }
}

/** A ledger whose entries of the audit chain name the user who hands in the push. */
function toCaller(ledger: Ledger, caller: PushCaller | undefined): Ledger {
  const { audit } = ledger
  if (caller === undefined || audit === undefined) return ledger
  return { ...ledger, audit: { ...audit, append: (fact) => audit.append({ ...fact, user: caller.user }) } }
}
