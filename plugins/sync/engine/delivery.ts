/**
 * The outbox at work: hands envelopes to peers, writes down how it went, tries again later. What is to be sent stands in
 * the store, so that a restart goes on where it was.
 */
import type { Acknowledgement, Envelope, Failure, PeerTransport } from '../api.ts'
import type { EngineOptions } from './options.ts'
import { close, handedOver, recordWord, verifyAcknowledgement } from './peers.ts'
import { type Step, takeSteps } from './receipts.ts'
import { mayGoLocal } from './states.ts'
import type { OutboxRow, StoredPush } from './store/api.ts'

/** Deliveries on the way at once; a peer that hangs holds one. */
const MAX_PARALLEL = 16
/** A delivery that has said nothing for so long counts as failed. */
const ATTEMPT_TIMEOUT_MS = 30_000

/** Sends what is in the outbox. */
export interface Delivery {
  /** Tries every row that is due now, once, or the rows of one push whether due or not. Resolves when all have been tried. */
  run(pushNo?: number): Promise<void>
  /** Asks for a run soon: something new is in the outbox. */
  wake(): void
  stop(): Promise<void>
}

/** Makes the delivery of an engine; `changed` hears of every push that took a step. */
export function createDelivery(
  options: EngineOptions & { readonly transport: PeerTransport },
  changed: (pushId: string) => void,
): Delivery {
  const { store, transport, timers, now, limits, log } = options
  let timer: unknown
  let running: Promise<void> | undefined
  let again = false
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

  const attempt = async (row: OutboxRow): Promise<void> => {
    const push = await store.read((ledger) => ledger.pushByNo(row.receiptNo))
    if (push?.envelope == null) return store.write((ledger) => ledger.dropOutbox(row.receiptNo, row.endpointId))
    let failure: Failure | undefined
    let ack: Acknowledgement | undefined
    try {
      const envelope = JSON.parse(push.envelope) as Envelope
      ack = await untilStopped(withTimeout(transport.deliver(envelope, row.endpointId), timers))
    } catch (error) {
      failure = toFailure(error)
    }
    // Nobody knows how it went: the row stays and is sent again after the next start, as the same push.
    if (stopped) return
    await (failure === undefined ? writeHandedOver(row) : writeFailure(row, failure))
    if (ack !== undefined) await acceptAcknowledgement(options, ack, changed)
    changed(push.pushId)
  }

  const writeHandedOver = (row: OutboxRow): Promise<void> =>
    store.write((ledger) => {
      const push = ledger.pushByNo(row.receiptNo)!
      ledger.dropOutbox(row.receiptNo, row.endpointId)
      takeSteps(ledger, push, handedOver(push, now()))
    })

  const writeFailure = (row: OutboxRow, failure: Failure): Promise<void> =>
    store.write((ledger) => {
      const push = ledger.pushByNo(row.receiptNo)!
      // The peer's own word may have come in by another way meanwhile.
      if (!ledger.outboxOf(push.no).some(({ endpointId }) => endpointId === row.endpointId)) return
      const atMs = now()
      const steps: Step[] = [{ event: { kind: 'peer_delivery_failed', atMs, peer: row.endpointId, failure } }]
      const expired = atMs >= push.createdAtMs + limits.settleAfterMs
      if (failure.retryable && !expired) {
        const attempts = row.attempts + 1
        ledger.putOutbox({ ...row, attempts, nextAttemptAtMs: atMs + retryDelayMs(attempts, limits) })
      } else {
        ledger.dropOutbox(row.receiptNo, row.endpointId)
        if (isHopeless(push, ledger.outboxOf(push.no)))
          steps.push({
            event: { kind: 'failed', atMs, localState: 'failed', failure },
            change: { localState: 'failed' },
          })
      }
      close(ledger, takeSteps(ledger, push, steps), atMs, limits.settleAfterMs)
    })

  const runRows = async (rows: readonly OutboxRow[]): Promise<void> => {
    let next = 0
    const work = async (): Promise<void> => {
      while (next < rows.length && !stopped) await attempt(rows[next++]!)
    }
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, rows.length) }, work))
  }

  const runDue = async (): Promise<void> => {
    do {
      again = false
      const rows = await store.read((ledger) => ledger.outboxDue(now(), 256))
      await runRows(rows)
      again ||= rows.length === 256
    } while (again && !stopped)
  }

  const plan = async (): Promise<void> => {
    if (timers === undefined || stopped) return
    const nextMs = await store.read((ledger) => ledger.outboxNextMs())
    if (nextMs !== undefined) arm(Math.max(nextMs - now(), 0))
  }

  const arm = (delayMs: number): void => {
    if (timers === undefined || stopped) return
    timers.clearTimeout(timer)
    timer = timers.setTimeout(delivery.wake, Math.min(delayMs, limits.retryMaxMs))
  }

  const delivery: Delivery = {
    run: async (pushNo) =>
      pushNo === undefined ? runDue() : runRows(await store.read((ledger) => ledger.outboxOf(pushNo))),
    wake() {
      again = true
      if (stopped) return
      running ??= runDue()
        .then(plan)
        .catch((error: unknown) => {
          log.log('warn', 'Deliveries wait: the store cannot be used.', { error })
          arm(limits.retryFirstMs)
        })
        .finally(() => {
          running = undefined
          if (again) delivery.wake()
        })
    },
    async stop() {
      stopped = true
      again = false
      for (const left of leave) left()
      timers?.clearTimeout(timer)
      await running
    },
  }
  return delivery
}

/** Checks and writes a signed acknowledgement. A false one changes nothing and is audited. */
export async function acceptAcknowledgement(
  options: EngineOptions,
  ack: Acknowledgement,
  changed: (pushId: string) => void,
): Promise<boolean> {
  const push = await options.store.read((ledger) => ledger.push(ack.pushId))
  const word = push === undefined ? undefined : await verifyAcknowledgement(ack, push, options)
  if (word === undefined) {
    const { pushId, endpointId } = ack
    options.log.log('warn', 'A false acknowledgement was ignored.', { audit: true, pushId, endpointId })
    return false
  }
  const outcome = await options.store.write((ledger) => recordWord(ledger, word, options))
  if (outcome.changed) changed(ack.pushId)
  return true
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
  return {
    code: typeof code === 'string' ? code : 'delivery_failed',
    message: error instanceof Error ? error.message : 'the envelope could not be handed over',
    retryable: retryable !== false,
  }
}

async function withTimeout<T>(work: Promise<T>, timers: EngineOptions['timers']): Promise<T> {
  if (timers === undefined) return work
  let timer: unknown
  const late = new Promise<never>((_, reject) => {
    timer = timers.setTimeout(() => reject(new Error('the peer did not answer in time')), ATTEMPT_TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    timers.clearTimeout(timer)
  }
}
