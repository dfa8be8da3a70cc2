/** The sync engine: the same on every platform, made of the parts that the platform supplies. */
import type { Awaitable } from '../../../core/awaitable.ts'
import type { Acknowledgement, DeliveredPush, Failure, PeerState, PushReceipt, ReceiptEvent } from '../api.ts'
import { fail } from '../errors.ts'
import type { Execute } from './admission/admitted.ts'
import { createSubmit, type Submit } from './admission/submit.ts'
import { type Attempts, acceptAcknowledgement, createAttempts } from './delivery/attempt.ts'
import type { MakeAutomation } from './delivery/automation.ts'
import { type AcknowledgementRecorded, recordPeerState } from './delivery/record-acknowledgement.ts'
import { createExecute } from './execution/execute.ts'
import type { EngineOptions } from './options.ts'
import { toReceipt } from './receipts/receipts.ts'
import { settleDue } from './receipts/settle.ts'
import { isSettled } from './receipts/states.ts'

/** Events of a push after a position, and whether more can come. */
export interface EventPage {
  readonly events: readonly ReceiptEvent[]
  /** Nothing will follow the last of `events`. */
  readonly ended: boolean
}

/** What the API and hosts call. Every function rejects with an `SvcError` of errors.ts. */
export interface SyncEngine {
  /** Takes the bytes of a signed push request. */
  submit: Submit
  /** Makes another way in: what it executes is told and sent as what comes by `submit`. */
  entryPoint(make: (execute: Execute) => Submit): Submit
  /** The receipt of a push; the id in either case. */
  receipt(pushId: string): Promise<PushReceipt>
  /** Events strictly after a sequence, at most `limit`. */
  events(pushId: string, after: number, limit?: number): Promise<EventPage>
  /** Calls `listener` after each change of a push, until the returned function is called. */
  watch(pushId: string, listener: () => void): () => void
  /** Writes a peer's state on the word of a trusted caller. */
  recordPeer(pushId: string, endpointId: string, state: PeerState, failure?: Failure | null): Promise<PushReceipt>
  /**
   * Writes what a peer has signed. Rejects with `signature_invalid` where it did not, or says nothing of that push. `told` is
   * called in the same transaction with what came of it; `about` is that push, where it was read before.
   */
  acknowledge(ack: Acknowledgement, told?: AcknowledgementRecorded, about?: DeliveredPush): Promise<void>
  /** Tries once to hand over what a push still has to send. */
  deliver(pushId: string): Promise<PushReceipt>
  /** Tries what waits for a peer now, without the rest of its pause. */
  resume(endpointId: string): void
  /** Begins to work through the outbox and to settle what time settles, where there are timers. */
  start(): void
  /** Ends deliveries; the store stays open. */
  stop(): Promise<void>
}

/**
 * Makes an engine. Without an automation every delivery is tried once, when it is asked for, and trying again is the host's
 * affair.
 */
export function createSyncEngine(options: EngineOptions, makeAutomation?: MakeAutomation): SyncEngine {
  const { store, now, limits } = options
  const watchers = new Map<string, Set<() => void>>()
  const tell = (pushId: string, read: () => Awaitable<PushReceipt>, operation: 'insert' | 'update'): void => {
    for (const listener of watchers.get(pushId) ?? []) listener()
    if (options.onReceipt === undefined) return
    Promise.resolve(read())
      .then((now) => options.onReceipt!(now, operation))
      .catch((error: unknown) => options.log.log('warn', 'A change of a receipt was not told.', { pushId, error }))
  }
  const changed = (pushId: string): void => {
    tell(pushId, () => receipt(pushId), 'update')
    automation?.stepped()
  }
  let made: Attempts | undefined
  /** None without a transport, which may come after the engine was made. */
  const attempts = (): Attempts | undefined => {
    const { transport } = options
    if (transport !== undefined) made ??= createAttempts({ ...options, transport }, changed)
    return made
  }
  const automation = makeAutomation?.(options, attempts, changed)
  /** Where nothing happens by itself, what is due is settled whenever something else is done. */
  const settleMeanwhile = (): void => {
    if (automation !== undefined) return
    settleDue(options, changed).catch((error: unknown) =>
      options.log.log('warn', 'The upkeep of the store waits.', { error }),
    )
  }
  const acknowledge: SyncEngine['acknowledge'] = async (ack, told, about) => {
    if (!(await acceptAcknowledgement(options, ack, changed, told, about))) throw fail('signature_invalid')
  }
  options.transport?.onAcknowledgement?.((ack) => acknowledge(ack))

  const execute = createExecute(store, now)
  const entryPoint: SyncEngine['entryPoint'] = (make) => {
    const submit = make(execute)
    return async (bytes, onStage) => {
      const submission = await submit(bytes, onStage)
      const { pushId, targets } = submission.receipt
      if (submission.status === 201) tell(pushId, () => submission.receipt, 'insert')
      if (submission.status === 201 && targets.length > 0)
        automation ? automation.sent({ pushId, targets }) : sendOnce(pushId)
      settleMeanwhile()
      return submission
    }
  }
  /** Where nothing happens by itself nothing is tried a second time: how it went stands in the receipt, and the host decides. */
  const sendOnce = (pushId: string): void => {
    deliver(pushId).catch((error: unknown) => options.log.log('warn', 'A delivery failed.', { pushId, error }))
  }
  const receipt = (pushId: string): Promise<PushReceipt> =>
    store.read((ledger) => {
      const push = ledger.push(pushId.toLowerCase())
      if (push === undefined) throw fail('push_not_found')
      return toReceipt(ledger, push)
    })
  const deliver = async (pushId: string): Promise<PushReceipt> => {
    const tries = attempts()
    if (tries === undefined) throw fail('transport_unavailable')
    const rows = await store.read((ledger) => {
      const push = ledger.push(pushId.toLowerCase())
      if (push === undefined) throw fail('push_not_found')
      return ledger.outboxOf(push.no)
    })
    await Promise.all(rows.map(tries.once))
    return receipt(pushId)
  }

  return {
    submit: entryPoint((run) => createSubmit(options, run)),
    entryPoint,
    receipt,
    events: (pushId, after, limit = 256) =>
      store.read((ledger) => {
        const push = ledger.push(pushId.toLowerCase())
        if (push === undefined) throw fail('push_not_found')
        const events = ledger.events(push, after, limit)
        const last = events[events.length - 1]?.sequence ?? after
        return { events, ended: last >= push.lastSequence && isSettled(push, now(), limits.settleAfterMs) }
      }),
    watch(pushId, listener) {
      const id = pushId.toLowerCase()
      const listeners = watchers.get(id) ?? new Set()
      watchers.set(id, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watchers.get(id) === listeners) watchers.delete(id)
      }
    },
    async recordPeer(pushId, endpointId, state, failure) {
      const word = {
        pushId: pushId.toLowerCase(),
        endpointId,
        state,
        failure: failure ?? null,
        appliedFrontier: null,
        ack: null,
      }
      const made = await store.write((ledger) => {
        const outcome = recordPeerState(ledger, word, options)
        return { ...outcome, receipt: toReceipt(ledger, outcome.push) }
      })
      if (made.changed) changed(word.pushId)
      settleMeanwhile()
      return made.receipt
    },
    acknowledge,
    deliver,
    resume: (endpointId) => automation?.resume(endpointId),
    start: () => automation?.start(),
    async stop() {
      made?.stop()
      await automation?.stop()
    },
  }
}
