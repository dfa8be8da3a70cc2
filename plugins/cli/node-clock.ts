/** The clock of a service on Node. */
import { type Clock, systemClock } from '../../core/environment.ts'

/** Asked for once: `process` is a getter of the global object, which every request would call twice. */
const { hrtime } = process

/** That of the machine, by `process.hrtime`: it costs the same as `performance`, whose first use takes a start more than half a millisecond. */
export const nodeClock: Clock = {
  ...systemClock,
  monotonic: () => {
    const [seconds, nanoseconds] = hrtime()
    return seconds * 1e3 + nanoseconds / 1e6
  },
}
