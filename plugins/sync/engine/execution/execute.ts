/**
 * Step 18: the frontier, the preparation, the application, three events and the outbox, all or nothing.
 * What was asked before may have changed since, so the idempotency key is asked again where nobody can come between.
 */
import { type Execute, findReplay, insertPush, requireFrontier, unprepared } from '../admission/admitted.ts'
import { createHostedExecute } from '../hosted.ts'
import type { ReceiptStore } from '../store/api.ts'

declare const __SYNC_API__: boolean

/** Makes the executor of a store. */
export function createExecute(store: ReceiptStore, now: () => number): Execute {
  const executeHosted = createHostedExecute(store, now)
  return (push) => {
    const { application } = push.family
    if (application.kind === 'hosted') return executeHosted(push, application)
    // The families of embedded hosts are all hosted: their library is without the rest.
    if (typeof __SYNC_API__ !== 'undefined' && !__SYNC_API__) throw unprepared(undefined)
    return store.write((ledger) => {
      push.authorise?.(ledger)
      const known = findReplay(ledger, push.envelope)
      if (known !== undefined) return known
      try {
        if (push.expectedFrontier !== null)
          requireFrontier(push.expectedFrontier, application.frontier(ledger, push.project))
        const envelope = push.family.prepare(push.envelope)
        const pinned = application.apply(ledger, push.project, envelope)
        return { status: 201, receipt: insertPush(ledger, push, envelope, now(), 'applied_locally', pinned) }
      } catch (cause) {
        throw unprepared(cause)
      }
    })
  }
}
