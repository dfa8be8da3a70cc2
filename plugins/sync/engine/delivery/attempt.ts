/** One delivery to a peer, and what is written down of it. */
import type { Acknowledgement, DeliveredPush, Envelope, Failure, PeerTransport } from '../../api.ts'
import type { EngineOptions } from '../options.ts'
import { eventBytes, spareBytes, tidyFailure } from '../receipts/receipt-size.ts'
import { type Step, takeSteps } from '../receipts/receipts.ts'
import { mayGoLocal } from '../receipts/states.ts'
import type { Ledger, OutboxRow, StoredPush } from '../store/api.ts'
import { close, handedOver, recordWord, verifyAcknowledgement, type WordTold } from './record-acknowledgement.ts'

declare const __SYNC_API__: boolean

/** Events about failed deliveries to one peer, at most; the last is kept for giving up. */
const MAX_TOLD = 8

/** Tries rows of the outbox. */
export interface Attempts {
  /** Tries a row once. Rejects only where the store cannot be used. */
  once(row: OutboxRow): Promise<void>
  /** Ends the waiting for answers; nothing is written of those attempts. */
  stop(): void
}

/** Makes attempts; `changed` hears of every push that took a step. */
export function createAttempts(
  options: EngineOptions & { readonly transport: PeerTransport },
  changed: (pushId: string) => void,
): Attempts {
  const { store, transport, now } = options
  let stopped = false
  /** One for each delivery on the way: ends the waiting for it. */
  const leave = new Set<() => void>()

  /** Waits for work until a stop. Not a race against one promise of the engine's life, which would remember every race. */
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

  const once = async (row: OutboxRow): Promise<void> => {
    const push = await store.read((ledger) => ledger.pushByNo(row.receiptNo))
    if (push?.envelope == null || !push.targets.includes(row.endpointId))
      return store.write((ledger) => ledger.dropOutbox(row.receiptNo, row.endpointId))
    let failure: Failure | undefined
    let ack: Acknowledgement | undefined
    try {
      const envelope = JSON.parse(push.envelope) as Envelope
      ack = await untilStopped(transport.deliver(envelope, row.endpointId, toDelivered(push)))
    } catch (error) {
      failure = toFailure(error)
    }
    // Nobody knows how it went: the row stays and is sent again after the next start, as the same push.
    if (stopped) return
    // Such a transport has written every word of the peer, the last one too.
    if ((typeof __SYNC_API__ === 'undefined' || __SYNC_API__) && failure === undefined && transport.untilLastWord)
      return
    if (failure === undefined) await handOver(row)
    else {
      if (!(await store.write((ledger) => writeFailure(ledger, row, failure, options)))) return
      const { pushId } = push
      options.log.log('info', 'A delivery failed.', { pushId, endpointId: row.endpointId, failure })
    }
    if (ack !== undefined) await acceptAcknowledgement(options, ack, changed)
    changed(push.pushId)
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
 * Plans the next attempt or gives up. An event tells of it only where it says something new: a peer that is away for hours
 * would fill the receipt otherwise. Gives whether the receipt changed.
 */
function writeFailure(
  ledger: Ledger,
  row: OutboxRow,
  failure: Failure,
  { now, limits }: Pick<EngineOptions, 'now' | 'limits'>,
): boolean {
  const push = ledger.pushByNo(row.receiptNo)
  // The peer's own word may have come in by another way meanwhile.
  if (push === undefined || ledger.outboxRow(push.no, row.endpointId) === undefined) return false
  const atMs = now()
  const goesOn = failure.retryable && atMs < push.createdAtMs + limits.settleAfterMs
  const event = { kind: 'peer_delivery_failed', atMs, peer: row.endpointId, failure } as const
  const isNew = goesOn ? failure.code !== row.toldCode && row.told < MAX_TOLD - 1 : row.told < MAX_TOLD
  const fits = eventBytes(event) <= spareBytes(ledger, push)
  const steps: Step[] = isNew && fits ? [{ event }] : []
  if (goesOn) {
    const attempts = row.attempts + 1
    const nextAttemptAtMs = atMs + retryDelayMs(attempts, limits)
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
 * Checks and writes a signed acknowledgement. A false one changes nothing and is audited. `about` is the push where it was read
 * a while ago: what the word is checked against never changes.
 */
export async function acceptAcknowledgement(
  options: EngineOptions,
  ack: Acknowledgement,
  changed: (pushId: string) => void,
  told?: WordTold,
  about?: DeliveredPush,
): Promise<boolean> {
  const push =
    about === undefined
      ? await options.store.read((ledger) => ledger.push(ack.pushId))
      : { targets: about.targets, hash: about.canonicalPayloadHash, domain: about.domain }
  const word = push === undefined ? undefined : await verifyAcknowledgement(ack, push, options)
  if (word === undefined) {
    const { pushId, endpointId } = ack
    options.log.log('warn', 'A false acknowledgement was ignored.', { audit: true, pushId, endpointId })
    return false
  }
  const outcome = await options.store.write((ledger) => {
    const made = recordWord(ledger, word, options)
    told?.(ledger, made)
    return made
  })
  if (outcome.changed) changed(ack.pushId)
  return true
}

function toDelivered({ pushId, hash, domain, targets, frontier, perPeer }: StoredPush): DeliveredPush {
  return { pushId, canonicalPayloadHash: hash, domain, targets, frontier, perPeer }
}

/** Doubles from the first delay up to the largest. */
function retryDelayMs(attempts: number, limits: EngineOptions['limits']): number {
  return Math.min(limits.retryFirstMs * 2 ** Math.min(attempts - 1, 30), limits.retryMaxMs)
}

/** Nobody has it and nobody will get it. */
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
