/** Runs single callbacks of the host, with a time limit, and notices calls of the engine from inside them. */

import type { Awaitable } from '../../../core/kernel/values.ts'
import { Undecided } from '../engine/execution/applications.ts'
import type { EngineTimers } from '../engine/options.ts'
import { failHost } from './errors.ts'
import type { CallbackHost } from './host.ts'
import { BAD, type Bad, isTime } from './host-values.ts'

/** Default time limit of a callback. */
const DEFAULT_TIMEOUT_MS = 30_000

/** Runs callbacks. `what` is the name of the callback for errors. */
export interface Callbacks {
  /** The timers of the host or of the realm; undefined if there are neither. */
  readonly timers: EngineTimers | undefined
  /** Runs code of the host on our stack. */
  visit<T>(run: () => T): T
  /** Whether code of the host is on our stack. */
  isInside(): boolean
  /** Runs a callback and waits for it. Rejects with its error, or with `Undecided` if it does not settle in time. */
  settle<T>(what: string, run: () => Awaitable<T>): Promise<T>
  /**
   * Asks the host for a value. Rejects with a typed error if the callback fails, is late or returns a wrong value;
   * `must` says what it must give.
   */
  ask<T>(what: string, must: string, run: () => Awaitable<T>, read: (answer: T) => T | Bad): Promise<T>
  /**
   * Has the host do something. Rejects with `Undecided` if the callback does not settle in time, because it may still
   * happen.
   */
  order(what: string, run: () => Awaitable<void>): Promise<void>
  /** The host's clock, in whole milliseconds. */
  now(): number
  /** Gives up callbacks that are overdue, if there are no timers that do so. */
  expire(): void
  /** Ends the time limits of callbacks that are still running. */
  forget(): void
}

/** Creates the runner of a host's callbacks. */
export function createCallbacks(host: CallbackHost): Callbacks {
  const timers = timersOf(host)
  const limitMs = host.timeoutMs ?? DEFAULT_TIMEOUT_MS
  let inside = false
  /**
   * By the function that gives up a running callback: what ends its time limit, and when the limit ends if there are no
   * timers.
   */
  const waiting = new Map<() => void, { readonly end: () => void; readonly dueMs: number }>()

  const visit: Callbacks['visit'] = (run) => {
    const outer = inside
    inside = true
    try {
      return run()
    } finally {
      inside = outer
    }
  }

  const now = (): number => {
    let nowMs: number
    try {
      nowMs = visit(() => host.now())
    } catch (cause) {
      throw wrong('now', cause)
    }
    if (!isTime(nowMs)) throw failHost('ERR_HOST_VALUE', { message: 'now() of the host must give whole milliseconds.' })
    return nowMs
  }

  const settle = async <T>(what: string, run: () => Awaitable<T>): Promise<T> => {
    const made = visit(run)
    if (typeof (made as { then?: unknown } | null | undefined)?.then !== 'function') return made
    const settled = Promise.resolve(made)
    return new Promise<T>((resolve, reject) => {
      const late = (): void => {
        end()
        reject(new Undecided(timedOut(what, limitMs), settled))
      }
      const timer = timers?.setTimeout(late, limitMs)
      const end = (): void => {
        waiting.delete(late)
        timers?.clearTimeout(timer)
      }
      waiting.set(late, { end, dueMs: timers === undefined ? now() + limitMs : Infinity })
      settled.finally(end).then(resolve, reject)
    })
  }

  return {
    timers,
    visit,
    isInside: () => inside,
    settle,
    async ask<T>(what: string, must: string, run: () => Awaitable<T>, read: (answer: T) => T | Bad): Promise<T> {
      let answer: T
      try {
        answer = await settle(what, run)
      } catch (cause) {
        throw cause instanceof Undecided ? cause.error : wrong(what, cause)
      }
      return readAnswer(what, must, answer, () => visit(() => read(answer)))
    },
    async order(what, run) {
      try {
        await settle(what, run)
      } catch (cause) {
        throw cause instanceof Undecided ? cause : wrong(what, cause)
      }
    },
    now,
    expire() {
      if (timers === undefined) for (const [late, { dueMs }] of [...waiting]) if (now() >= dueMs) late()
    },
    forget() {
      for (const { end } of waiting.values()) end()
    },
  }
}

/** The timers of the host, or those of the realm; undefined if there are neither. */
function timersOf({ timers }: CallbackHost): EngineTimers | undefined {
  if (timers !== undefined) return timers
  // Some engines have `setTimeout` alone. A timer that cannot be cleared is not used.
  if (typeof setTimeout !== 'function' || typeof clearTimeout !== 'function') return undefined
  return {
    setTimeout: (run, delayMs) => setTimeout(run, delayMs),
    clearTimeout: (timer) => clearTimeout(timer as number),
  }
}

/** Returns what `read` returns. Throws `ERR_HOST_VALUE` for a wrong value, and if a getter of the host throws. */
function readAnswer<T>(what: string, must: string, answer: T, read: () => T | Bad): T {
  let value: T | Bad = BAD
  try {
    value = read()
  } catch {
    // The value is wrong.
  }
  if (value === BAD)
    throw failHost('ERR_HOST_VALUE', { message: `${what}() of the host gave ${kindOf(answer)}; it must give ${must}.` })
  return value as T
}

/** What a value is, without its content. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  const kind =
    typeof value === 'object' ? Object.prototype.toString.call(value).slice('[object '.length, -1) : typeof value
  return kind === 'Object' ? 'an object that is not right' : `a value of type ${kind}`
}

function wrong(what: string, cause: unknown): Error {
  return failHost('ERR_HOST_FAILED', { message: `${what}() of the host failed.`, cause })
}

function timedOut(what: string, limitMs: number): Error {
  return failHost('ERR_HOST_TIMEOUT', { message: `${what}() did not settle in ${limitMs} ms.` })
}
