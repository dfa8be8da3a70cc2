/** The sync engine. It is the same on every platform, and is made of parts that the platform supplies. */
import type { Acknowledgement, DeliveredPush, Failure, PeerState, PushReceipt } from '../api.ts'
import { fail } from '../errors.ts'
import type { Execute, Submission } from './admission/admitted.ts'
import { createSubmit, type Submit } from './admission/submit-push.ts'
import { type Attempts, acceptAcknowledgement, createAttempts } from './delivery/attempt.ts'
import type { MakeAutomation } from './delivery/automation.ts'
import { type AcknowledgementRecorded, recordPeerState } from './delivery/record-acknowledgement.ts'
import { createExecute } from './execution/execute.ts'
import type { EngineOptions } from './options.ts'
import { createReceiptChanges, type ReceiptChanges } from './receipts/changes.ts'
import { createReceiptReads, type ReceiptReads } from './receipts/reads.ts'
import { requirePush, toReceipt } from './receipts/receipts.ts'
import { settleDue } from './receipts/settle.ts'

export type { EventPage } from './receipts/reads.ts'

/** What the API and hosts call. Every function rejects with an `SvcError` of errors.ts. */
export interface SyncEngine extends ReceiptReads, Pick<ReceiptChanges, 'watch'> {
  /** Submits the bytes of a signed push request. */
  submit: Submit
  /** Makes another entry point. Its pushes are announced and sent like those of `submit`. */
  entryPoint(make: (execute: Execute) => Submit): Submit
  /** Records the state of a peer without an acknowledgement, for a trusted caller. */
  recordPeer(pushId: string, endpointId: string, state: PeerState, failure?: Failure | null): Promise<PushReceipt>
  /**
   * Records a signed acknowledgement. Rejects with `signature_invalid` if the signature is not the peer's or the
   * acknowledgement is about another push. `recorded` is called in the same transaction with the result. `about` is the
   * push, if it was read before.
   */
  acknowledge(ack: Acknowledgement, recorded?: AcknowledgementRecorded, about?: DeliveredPush): Promise<void>
  /** Tries once to deliver a push to each peer that does not have it. */
  deliver(pushId: string): Promise<PushReceipt>
  /** Tries now what waits for a peer, without the rest of its pause. */
  resume(endpointId: string): void
  /** Starts deliveries and upkeep, if there are timers. */
  start(): void
  /** Stops deliveries and upkeep; the store stays open. */
  stop(): Promise<void>
}

/**
 * Creates an engine. Without an automation each delivery is tried once, when it is asked for; the host decides about
 * more attempts.
 */
export function createSyncEngine(options: EngineOptions, makeAutomation?: MakeAutomation): SyncEngine {
  const { store, log } = options
  const reads = createReceiptReads(options)
  const changes = createReceiptChanges(options, reads.receipt)
  const changed = (pushId: string): void => {
    changes.updated(pushId)
    automation?.stepped()
  }
  let made: Attempts | undefined
  /** Undefined without a transport, which may be set after the engine was created. */
  const attempts = (): Attempts | undefined => {
    const { transport } = options
    if (transport !== undefined) made ??= createAttempts({ ...options, transport }, changed)
    return made
  }
  const automation = makeAutomation?.(options, attempts, changed)
  /** Without an automation, the upkeep runs after each call that writes. */
  const settleMeanwhile = (): void => {
    if (automation !== undefined) return
    settleDue(options, changed).catch((error: unknown) => log.log('warn', 'The upkeep of the store waits.', { error }))
  }
  const acknowledge: SyncEngine['acknowledge'] = async (ack, recorded, about) => {
    if (!(await acceptAcknowledgement(options, ack, changed, recorded, about))) throw fail('signature_invalid')
  }
  options.transport?.onAcknowledgement?.((ack) => acknowledge(ack))

  const deliver = async (pushId: string): Promise<PushReceipt> => {
    const tries = attempts()
    if (tries === undefined) throw fail('transport_unavailable')
    const rows = await store.read((ledger) => ledger.outboxOf(requirePush(ledger, pushId).no))
    await Promise.all(rows.map(tries.once))
    return reads.receipt(pushId)
  }
  /** Announces a new push and sends it. Without an automation it is sent once; the receipt has the result. */
  const accepted = ({ receipt }: Submission): void => {
    const { pushId, targets } = receipt
    changes.inserted(receipt)
    if (targets.length === 0) return
    if (automation === undefined)
      deliver(pushId).catch((error: unknown) => log.log('warn', 'A delivery failed.', { pushId, error }))
    else automation.sent({ pushId, targets })
  }
  const execute = createExecute(store, options.now)
  const entryPoint: SyncEngine['entryPoint'] = (make) => {
    const submit = make(execute)
    return async (bytes, onStage, caller) => {
      const submission = await submit(bytes, onStage, caller)
      if (submission.status === 201) accepted(submission)
      settleMeanwhile()
      return submission
    }
  }
  return {
    submit: entryPoint((run) => createSubmit(options, run)),
    entryPoint,
    ...reads,
    watch: changes.watch,
    async recordPeer(pushId, endpointId, state, failure = null) {
      const statement = { pushId: pushId.toLowerCase(), endpointId, state, failure, appliedFrontier: null, ack: null }
      const outcome = await store.write((ledger) => {
        const recorded = recordPeerState(ledger, statement, options)
        return { changed: recorded.changed, receipt: toReceipt(ledger, recorded.push) }
      })
      if (outcome.changed) changed(statement.pushId)
      settleMeanwhile()
      return outcome.receipt
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
