/** Tries one delivery to a peer, and records its result. */
import type { Acknowledgement, DeliveredPush, Envelope, Failure, PeerTransport } from '../../api.ts'
import type { EngineOptions } from '../options.ts'
import { eventBytes, spareBytes, tidyFailure } from '../receipts/receipt-size.ts'
import { type Step, takeSteps } from '../receipts/receipts.ts'
import { mayGoLocal } from '../receipts/states.ts'
import type { Ledger, OutboxRow, StoredPush } from '../store/api.ts'
import {
  type AcknowledgementRecorded,
  close,
  handedOver,
  recordPeerState,
  verifyAcknowledgement,
} from './record-acknowledgement.ts'
import { retryAtMs } from './retry.ts'

declare const __SYNC_API__: boolean

/**
 * Most events about failed deliveries to one peer. The last one is reserved for the event that the delivery was given
 * up.
 */
const MAX_TOLD = 8

/** Tries rows of the outbox. */
export interface Attempts {
  /**
   * Tries a row once. Resolves to false if the attempt failed and may be repeated, or was stopped. Rejects only if the
   * store cannot be used.
   */
  once(row: OutboxRow): Promise<boolean>
  /** Stops waiting. Unfinished attempts are not recorded. */
  stop(): void
}

/** Creates the attempts of an engine. `changed` is called with each push that took a step. */
export function createAttempts(
  options: EngineOptions & { readonly transport: PeerTransport },
  changed: (pushId: string) => void,
): Attempts {
  const { store, transport, now } = options
  let stopped = false
  /** For each running delivery, the function that stops waiting for it. */
  const leave = new Set<() => void>()

  /**
   * Waits for work until a stop. Each call has its own promise for the stop, because a promise that lives as long as
   * the engine would keep a reaction of every race in memory.
   */
  const untilStopped = async <T>(work: Promise<T>): Promise<T | undefined> => {
    let left!: () => void
    const stop = new Promise<undefined>((resolve) => (left = () => resolve(undefined)))
    leave.add(left)
    try {
      return await Promise.race([work, stop])
    } finally {
      leave.delete(left)
    }
  }

  const handOver = (row: OutboxRow): Promise<void> =>
    store.write((ledger) => {
      const push = ledger.pushByNo(row.receiptNo)
      ledger.dropOutbox(row.receiptNo, row.endpointId)
      if (push !== undefined) takeSteps(ledger, push, handedOver(push, now()))
    })

  const once = async (row: OutboxRow): Promise<boolean> => {
    const push = await store.read((ledger) => ledger.pushByNo(row.receiptNo))
    if (push?.envelope == null || !push.targets.includes(row.endpointId)) {
      await store.write((ledger) => ledger.dropOutbox(row.receiptNo, row.endpointId))
      return true
    }
    let failure: Failure | undefined
    let ack: Acknowledgement | undefined
    try {
      const envelope = JSON.parse(push.envelope) as Envelope
      ack = await untilStopped(transport.deliver(envelope, row.endpointId, toDelivered(push)))
    } catch (error) {
      failure = toFailure(error)
    }
    // The outcome is unknown, so the row stays in the outbox, and the same push is sent again after the next start.
    if (stopped) return false
    // Such a transport has recorded every acknowledgement of the peer, including the final one.
    if ((typeof __SYNC_API__ === 'undefined' || __SYNC_API__) && failure === undefined && transport.untilLastWord)
      return true
    if (failure === undefined) await handOver(row)
    else {
      if (!(await store.write((ledger) => writeFailure(ledger, row, failure, options)))) return !failure.retryable
      const { pushId } = push
      options.log.log('info', 'A delivery failed.', { pushId, endpointId: row.endpointId, failure })
    }
    if (ack !== undefined) await acceptAcknowledgement(options, ack, changed)
    changed(push.pushId)
    return failure?.retryable !== true
  }

  return {
    once,
    stop() {
      stopped = true
      for (const left of leave) left()
    },
  }
}

/**
 * Plans the next attempt or gives up. An event is added only for a new failure code, because a peer that is away for
 * hours would otherwise fill the receipt. Returns whether the receipt changed.
 */
function writeFailure(
  ledger: Ledger,
  row: OutboxRow,
  failure: Failure,
  { now, limits }: Pick<EngineOptions, 'now' | 'limits'>,
): boolean {
  const push = ledger.pushByNo(row.receiptNo)
  // The acknowledgement of the peer may have come by another route in the meantime.
  if (push === undefined || ledger.outboxRow(push.no, row.endpointId) === undefined) return false
  const atMs = now()
  const attempts = row.attempts + 1
  const nextAttemptAtMs = retryAtMs(failure, push, attempts, atMs, limits)
  const goesOn = nextAttemptAtMs !== undefined
  const event = { kind: 'peer_delivery_failed', atMs, peer: row.endpointId, failure } as const
  const isNew = goesOn ? failure.code !== row.toldCode && row.told < MAX_TOLD - 1 : row.told < MAX_TOLD
  const fits = eventBytes(event) <= spareBytes(ledger, push)
  const steps: Step[] = isNew && fits ? [{ event }] : []
  if (goesOn) {
    const told = steps.length > 0 ? { told: row.told + 1, toldCode: failure.code } : {}
    ledger.putOutbox([{ ...row, attempts, nextAttemptAtMs, ...told }])
  } else {
    ledger.dropOutbox(row.receiptNo, row.endpointId)
    if (isHopeless(push, ledger.outboxOf(push.no)))
      steps.push({
        event: { kind: 'failed', atMs, localState: 'failed', failure: fits ? failure : { ...failure, message: '' } },
        change: { localState: 'failed' },
      })
  }
  close(ledger, push, atMs, limits.settleAfterMs, steps)
  return steps.length > 0
}

/**
 * Verifies and records a signed acknowledgement. An invalid one changes nothing and is logged for the audit. `about` is
 * the push, if it was read before; the members that the acknowledgement is checked against never change. Returns
 * whether it was valid.
 */
export async function acceptAcknowledgement(
  options: EngineOptions,
  ack: Acknowledgement,
  changed: (pushId: string) => void,
  recorded?: AcknowledgementRecorded,
  about?: DeliveredPush,
): Promise<boolean> {
  const push =
    about === undefined
      ? await options.store.read((ledger) => ledger.push(ack.pushId))
      : { targets: about.targets, hash: about.canonicalPayloadHash, domain: about.domain }
  const statement = push === undefined ? undefined : await verifyAcknowledgement(ack, push, options)
  if (statement === undefined) {
    const { pushId, endpointId } = ack
    options.log.log('warn', 'A false acknowledgement was ignored.', { audit: true, pushId, endpointId })
    return false
  }
  const outcome = await options.store.write((ledger) => {
    const made = recordPeerState(ledger, statement, options)
    recorded?.(ledger, made)
    return made
  })
  if (outcome.changed) changed(ack.pushId)
  return true
}

function toDelivered({ pushId, hash, domain, targets, frontier, perPeer }: StoredPush): DeliveredPush {
  return { pushId, canonicalPayloadHash: hash, domain, targets, frontier, perPeer }
}

/** Whether no peer has the push and none will get it. */
function isHopeless(push: StoredPush, left: readonly OutboxRow[]): boolean {
  return left.length === 0 && push.localState === 'applied_locally' && mayGoLocal(push.localState, 'failed')
}

function toFailure(error: unknown): Failure {
  const { code, retryable } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Failure>
  return tidyFailure({
    code: typeof code === 'string' ? code : 'delivery_failed',
    message: error instanceof Error ? error.message : 'the envelope could not be handed over',
    retryable: retryable !== false,
  })
}
