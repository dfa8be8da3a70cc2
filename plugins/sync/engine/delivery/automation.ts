/**
 * What an engine does without being asked, on a platform with timers: it sends, tries again, settles and removes old
 * receipts. The engine gets this as a parameter and does not import it, so that the library for embedding hosts does
 * not contain it.
 */
import type { PeerTransport } from '../../api.ts'
import type { EngineOptions, EngineTimers } from '../options.ts'
import { createUpkeep } from '../receipts/upkeep.ts'
import type { Attempts } from './attempt.ts'
import { createDelivery, type Delivery } from './delivery.ts'

/** A delivery without an answer after this time counts as failed. */
const ATTEMPT_TIMEOUT_MS = 30_000

/** The activity of an engine. */
export interface Automation {
  start(): void
  /** Sends a new push to its targets. */
  sent(push: { readonly pushId: string; readonly targets: readonly string[] }): void
  /** Tries now what waits for a peer that can be reached again. */
  resume(endpointId: string): void
  /** A push took a step, so that it may be settled later. */
  stepped(): void
  stop(): Promise<void>
}

/** Creates the activity of an engine. `attempts` returns undefined as long as there is no transport. */
export type MakeAutomation = (
  options: EngineOptions,
  attempts: () => Attempts | undefined,
  changed: (pushId: string) => void,
) => Automation

/** Creates the activity on the timers of a platform. */
export function onTimers(timers: EngineTimers): MakeAutomation {
  return (options, attempts, changed) => {
    let made: Delivery | undefined
    const delivery = (): Delivery | undefined => {
      const ready = attempts()
      if (ready !== undefined) made ??= createDelivery(options, timers, ready)
      return made
    }
    const upkeep = createUpkeep(options, timers, changed)
    return {
      start() {
        delivery()?.wake()
        upkeep.start()
      },
      sent: (push) => delivery()?.wake(push),
      resume: (endpointId) => made?.resume(endpointId),
      stepped: () => upkeep.expect(options.now() + options.limits.settleAfterMs),
      async stop() {
        await Promise.all([made?.stop(), upkeep.stop()])
      },
    }
  }
}

/** A transport whose deliveries end in time. A transport that limits them itself is returned as it is. */
export function withTimeLimit(transport: PeerTransport, timers: EngineTimers): PeerTransport {
  if (transport.untilLastWord) return transport
  return {
    onAcknowledgement: (take) => transport.onAcknowledgement?.(take),
    traced: (pushId, trace) => transport.traced?.(pushId, trace),
    async deliver(...parameters) {
      let timer: unknown
      const late = new Promise<never>((_, reject) => {
        timer = timers.setTimeout(() => reject(new Error('the peer did not answer in time')), ATTEMPT_TIMEOUT_MS)
      })
      try {
        return await Promise.race([transport.deliver(...parameters), late])
      } finally {
        timers.clearTimeout(timer)
      }
    },
  }
}
