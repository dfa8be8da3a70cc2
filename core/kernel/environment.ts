/** Time, randomness and ids. Tests replace them. */

/** A timer that can be cancelled. */
export type Timer = unknown

/** The clock that a plugin reads. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number
  /** Milliseconds from an arbitrary start, never going back; for durations. */
  monotonic(): number
  setTimeout(run: () => void, delayMs: number): Timer
  clearTimeout(timer: Timer): void
}

/** Unpredictable bytes. */
export interface Random {
  bytes(length: number): Uint8Array
  /** A version 4 UUID, lower case (RFC 9562 section 5.4). */
  uuid(): string
}

/** The clock and the random source of the kernel and its plugins. */
export interface Environment {
  readonly clock: Clock
  readonly random: Random
}

/** Read once, because the global is a getter, which every request would call otherwise. */
let performanceClock: Pick<Performance, 'now'> | undefined

/** The clock of the machine. Its timers do not keep a process alive, on platforms that have `unref`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => (performanceClock ??= performance).now(),
  setTimeout: (run, delayMs) => {
    const timer: unknown = setTimeout(run, delayMs)
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') {
      timer.unref()
    }
    return timer
  },
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

/** The platform's cryptographic random source, which every supported platform has. */
export const systemRandom: Random = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  uuid: () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
}
