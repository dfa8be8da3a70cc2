/**
 * Calls of the engine to its host. If a callback throws, hangs, returns a wrong value or calls the engine, the call rejects with a
 * typed error. Callbacks get copies, which they may change.
 */

import type { Awaitable } from '../../../core/awaitable.ts'
import { isObject } from '../../../core/is-object.ts'
import type { LogRecord } from '../../../core/log.ts'
import type { Envelope, Frontier, SigningDevice } from '../api.ts'
import { Undecided } from '../engine/execution/undecided.ts'
import type { EngineTimers } from '../engine/options.ts'
import { failHost } from './errors.ts'
import type { EmbeddedHost } from './host.ts'

/** Default time limit of a callback. */
const DEFAULT_TIMEOUT_MS = 30_000
/** Most calls of the engine at a time. A callback that calls the engine after a pause is only noticed by this count. */
const MAX_CALLS = 10_000

/** The callbacks of the host, with checked results. */
export interface HostCalls {
  identity(): Promise<unknown>
  device(keyId: string): Promise<SigningDevice | undefined>
  exists(domain: string): Promise<boolean>
  frontier(domain: string): Promise<Frontier | null>
  /** Rejects with `Undecided` if the callback does not settle in time. */
  apply(domain: string, envelope: Envelope): Promise<void>
  /** Rejects with the error of the host, which says whether another attempt makes sense. */
  deliver(envelope: Envelope, endpointId: string): Promise<void>
  load(): Promise<Uint8Array | null>
  /** Rejects with `Undecided` if the callback does not settle in time. */
  save(bytes: Uint8Array): Promise<void>
  now(): number
  /** Never throws. */
  log(record: Omit<LogRecord, 'timeMs'>): void
  /** Throws `ERR_HOST_REENTRY` inside a callback. */
  outside(): void
  /** Counts a call of the engine as running until it settles. Throws `ERR_HOST_REENTRY`. */
  enter<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no call is running. A callback that no call waits for, such as a last save, may still run, within its time limit. */
  idle(): Promise<void>
  /** Ends the time limits of callbacks that are still running. */
  forget(): void
  yieldLoop(): Promise<void>
}

/** The timers of the host, or those of the realm; undefined if there are neither. */
function timersOf({ timers }: EmbeddedHost): EngineTimers | undefined {
  if (timers !== undefined) return timers
  // Some engines have the first alone. A timer that cannot be cleared is none.
  if (typeof setTimeout !== 'function' || typeof clearTimeout !== 'function') return undefined
  return {
    setTimeout: (run, delayMs) => setTimeout(run, delayMs),
    clearTimeout: (timer) => clearTimeout(timer as number),
  }
}

/** Wraps a host. */
export function createHostCalls(host: EmbeddedHost): HostCalls {
  const timers = timersOf(host)
  const limitMs = host.timeoutMs ?? DEFAULT_TIMEOUT_MS
  /** True while code of the host runs on our stack. */
  let inside = false
  /** By running callback: ends the waiting for it, and when it is due. Without timers, later calls check the due times. */
  const waiting = new Map<() => void, { readonly end: () => void; readonly dueMs: number }>()
  const calls = new Set<Promise<unknown>>()

  const visit = <T>(run: () => T): T => {
    const outer = inside
    inside = true
    try {
      return run()
    } finally {
      inside = outer
    }
  }

  /** Runs a callback and waits for it, up to the time limit. */
  const settle = async <T>(what: string, run: () => Awaitable<T>): Promise<T> => {
    const made = visit(run)
    if (typeof (made as { then?: unknown } | null | undefined)?.then !== 'function') return made
    const settled = Promise.resolve(made)
    return new Promise<T>((resolve, reject) => {
      const late = (): void => {
        end()
        reject(
          new Undecided(
            failHost('ERR_HOST_TIMEOUT', { message: `${what}() did not settle in ${limitMs} ms.` }),
            settled,
          ),
        )
      }
      const timer = timers?.setTimeout(late, limitMs)
      const end = (): void => {
        waiting.delete(late)
        timers?.clearTimeout(timer)
      }
      waiting.set(late, { end, dueMs: timers === undefined ? clock() + limitMs : Infinity })
      settled.finally(end).then(resolve, reject)
    })
  }

  const wrong = (what: string, cause: unknown): Error =>
    failHost('ERR_HOST_FAILED', { message: `${what}() of the host failed.`, cause })

  /** Asks the host for a value. Rejects with a typed error for a wrong value or a late one. */
  const ask = async <T>(what: string, run: () => Awaitable<T>, read: (answer: T) => T | Bad): Promise<T> => {
    let answer: T
    try {
      answer = await settle(what, run)
    } catch (cause) {
      throw cause instanceof Undecided ? cause.error : wrong(what, cause)
    }
    let found: T | Bad = BAD
    try {
      found = visit(() => read(answer))
    } catch {
      // A getter of the host that throws counts as a wrong value.
    }
    if (found === BAD) throw failHost('ERR_HOST_VALUE', { message: `What ${what}() gave is not what it must give.` })
    return found as T
  }

  /** Has the host do something. Rejects with `Undecided` if it does not settle in time, because it may still happen. */
  const order = async (what: string, run: () => Awaitable<void>): Promise<void> => {
    try {
      await settle(what, run)
    } catch (cause) {
      throw cause instanceof Undecided ? cause : wrong(what, cause)
    }
  }

  const clock = (): number => {
    let nowMs: number
    try {
      nowMs = visit(() => host.now())
    } catch (cause) {
      throw wrong('now', cause)
    }
    if (!isTime(nowMs)) throw failHost('ERR_HOST_VALUE', { message: 'now() of the host must give whole milliseconds.' })
    return nowMs
  }

  return {
    identity: () =>
      ask<unknown>(
        'identity',
        () => host.identity(),
        (one) => (one === null || isObject(one) ? one : BAD),
      ),
    device: (keyId) =>
      ask(
        'devices.get',
        () => host.devices.get(keyId) as Awaitable<SigningDevice | undefined>,
        (one) => readDevice(one, keyId),
      ),
    exists: (domain) =>
      ask(
        'projects.has',
        () => host.projects.has(domain),
        (one) => (typeof one === 'boolean' ? one : BAD),
      ),
    frontier: (domain) => ask('frontier', () => host.frontier(domain), readFrontier),
    apply: (domain, envelope) => order('apply', () => host.apply(domain, Object.freeze({ ...envelope }))),
    async deliver(envelope, endpointId) {
      try {
        await settle('deliver', () => host.deliver!(Object.freeze({ ...envelope }), endpointId))
      } catch (cause) {
        throw cause instanceof Undecided ? cause.error : cause
      }
    },
    load: () =>
      ask(
        'persistence.load',
        () => host.persistence.load(),
        (one) => (one === null ? one : isBytes(one) ? one.slice() : BAD),
      ),
    save: (bytes) => order('persistence.save', () => host.persistence.save(bytes)),
    now: clock,
    log(record) {
      try {
        const said: unknown = visit(() => host.log({ timeMs: host.now(), ...record }))
        Promise.resolve(said).catch(() => {})
      } catch {
        // A failure of the log cannot be logged.
      }
    },
    outside() {
      if (inside || calls.size >= MAX_CALLS) throw failHost('ERR_HOST_REENTRY')
    },
    async enter(work) {
      this.outside()
      if (timers === undefined) for (const [late, { dueMs }] of [...waiting]) if (clock() >= dueMs) late()
      const call = work()
      calls.add(call)
      return call.finally(() => calls.delete(call))
    },
    async idle() {
      while (calls.size > 0) await Promise.allSettled([...calls])
    },
    forget() {
      for (const { end } of waiting.values()) end()
    },
    yieldLoop: async () => {
      if (timers !== undefined) await new Promise<void>((resolve) => void timers.setTimeout(resolve, 0))
    },
  }
}

const BAD: unique symbol = Symbol()
type Bad = typeof BAD

const HASH = /^[0-9a-f]{64}$/
const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((one) => typeof one === 'string')
const isTime = (one: unknown): one is number => Number.isSafeInteger(one) && (one as number) >= 0

/** Whether a value is a Uint8Array, of whatever realm. */
export function isBytes(one: unknown): one is Uint8Array {
  return Object.prototype.toString.call(one) === '[object Uint8Array]'
}

function readDevice(given: SigningDevice | undefined | null, asked: string): SigningDevice | undefined | Bad {
  if (given === undefined || given === null) return undefined
  const { keyId, scopes, status, expiresAtMs } = given
  // A string has `includes` as well: scopes in one string would match every part of it.
  const fits =
    keyId === asked &&
    isTexts(scopes) &&
    (status === 'active' || status === 'revoked') &&
    (expiresAtMs === null || Number.isFinite(expiresAtMs))
  return fits ? { keyId, scopes: [...scopes], status, expiresAtMs } : BAD
}

function readFrontier(given: Frontier | null): Frontier | null | Bad {
  if (given === null) return null
  const { heads } = given
  return isTexts(heads) && heads.every((head) => HASH.test(head)) && new Set(heads).size === heads.length
    ? { heads: [...heads] }
    : BAD
}
