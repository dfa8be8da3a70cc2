/**
 * What a platform with timers does by itself: it sends and tries again, settles and tidies up. The engine is given this and
 * does not import it, so that an embedding host, which decides all that, does not carry it.
 */
import type { PeerTransport } from '../../api.ts'
import type { EngineOptions, EngineTimers } from '../options.ts'
import { createUpkeep } from '../receipts/upkeep.ts'
import type { Attempts } from './attempt.ts'
import { createDelivery, type Delivery } from './lanes.ts'

/** A delivery that has said nothing for so long counts as failed. */
const ATTEMPT_TIMEOUT_MS = 30_000

/** The engine's own activity. */
export interface Automation {
  start(): void
  /** A push waits for these peers. */
  sent(push: { readonly pushId: string; readonly targets: readonly string[] }): void
  /** A push took a step, and may settle in its time. */
  /** A peer can be reached again: what waits for it is tried now. */
  resume(endpointId: string): void
  stepped(): void
  stop(): Promise<void>
}

/** Makes the activity of an engine. Without a transport by the time that something is sent there are no attempts. */
export type MakeAutomation = (
  options: EngineOptions,
  attempts: () => Attempts | undefined,
  changed: (pushId: string) => void,
) => Automation

/** The activity on a platform's timers. */
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

/** A transport whose deliveries end in time: the given one if it sees to that itself, else one that stops waiting. */
export function withTimeLimit(transport: PeerTransport, timers: EngineTimers): PeerTransport {
  if (transport.untilLastWord) return transport
  return {
    onAcknowledgement: (take) => transport.onAcknowledgement?.(take),
    traced: (pushId, trace) => transport.traced?.(pushId, trace),
    async deliver(...given) {
      let timer: unknown
      const late = new Promise<never>((_, reject) => {
        timer = timers.setTimeout(() => reject(new Error('the peer did not answer in time')), ATTEMPT_TIMEOUT_MS)
      })
      try {
        return await Promise.race([transport.deliver(...given), late])
      } finally {
        timers.clearTimeout(timer)
      }
    },
  }
}
