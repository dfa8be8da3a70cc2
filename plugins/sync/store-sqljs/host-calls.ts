/**
 * The host as the engine calls it: whatever it does (throw, hang, give garbage, call back) comes out as a typed error, and
 * nothing that it is given is ours to lose.
 */

import type { Awaitable } from '../../../core/awaitable.ts'
import { isObject } from '../../../core/is-object.ts'
import type { LogRecord } from '../../../core/log.ts'
import type { Envelope, Frontier, SigningDevice } from '../api.ts'
import { Undecided } from '../engine/execution/undecided.ts'
import type { EngineTimers } from '../engine/options.ts'
import { failHost } from './errors.ts'
import type { EmbeddedHost } from './host.ts'

/** How long a callback of the host may take where it does not say: longer than any disk, shorter than any patience. */
const DEFAULT_TIMEOUT_MS = 30_000
/** Calls on their way at once. A callback that calls back after a pause cannot be told from its host, so they are counted. */
const MAX_CALLS = 10_000

/** The host's callbacks, checked. */
export interface HostCalls {
  identity(): Promise<unknown>
  device(keyId: string): Promise<SigningDevice | undefined>
  exists(domain: string): Promise<boolean>
  frontier(domain: string): Promise<Frontier | null>
  /** Throws `Undecided` where the time is over. */
  apply(domain: string, envelope: Envelope): Promise<void>
  /** Rejects with what the host rejects with: it says whether another attempt makes sense. */
  deliver(envelope: Envelope, endpointId: string): Promise<void>
  load(): Promise<Uint8Array | null>
  /** Throws `Undecided` where the time is over. */
  save(bytes: Uint8Array): Promise<void>
  now(): number
  /** Never throws. */
  log(record: Omit<LogRecord, 'timeMs'>): void
  /** Throws `ERR_HOST_REENTRY` inside of a callback. */
  outside(): void
  /** Counts a call of the engine as on its way until it settles. Throws `ERR_HOST_REENTRY`. */
  enter<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no call is on its way. What nobody called for, such as a last save, may still be, within its time. */
  idle(): Promise<void>
  /** Ends the time limits of what is left of callbacks: nobody waits for them any more. */
  forget(): void
  yieldLoop(): Promise<void>
}

/** The timers of the host, or those that the realm happens to have; none where there are neither. */
function timersOf({ timers }: EmbeddedHost): EngineTimers | undefined {
  if (timers !== undefined) return timers
  if (typeof setTimeout !== 'function') return undefined
  return {
    setTimeout: (run, delayMs) => setTimeout(run, delayMs),
    clearTimeout: (timer) => clearTimeout(timer as number),
  }
}

/** Wraps a host. */
export function createHostCalls(host: EmbeddedHost): HostCalls {
  const timers = timersOf(host)
  const limitMs = host.timeoutMs ?? DEFAULT_TIMEOUT_MS
  /** Set while code of the host runs on our stack. */
  let inside = false
  /** What ends the waiting for each callback on its way, and when: without timers, later calls look after it. */
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

  /** Runs a callback and waits for it as long as it may take. */
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

  /** A question to the host: a good answer or a typed error; an answer that comes late is not looked at. */
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
      // A getter of the host that throws is no better than a wrong value.
    }
    if (found === BAD) throw failHost('ERR_HOST_VALUE', { message: `What ${what}() gave is not what it must give.` })
    return found as T
  }

  /** An order to the host: done, failed, or undecided when its time is over. */
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
        // A log that fails has nowhere to say so.
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
  // A text has `includes` as well, so that scopes in one text would let a device in wherever a part of it fits.
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
