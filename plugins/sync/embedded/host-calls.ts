/**
 * Calls of the engine to its host. If a callback throws, hangs, returns a wrong value or calls the engine, the call
 * rejects with a typed error. Callbacks get copies, which they may change.
 */

import type { LogRecord } from '../../../core/kernel/log.ts'
import { type Awaitable, isObject } from '../../../core/kernel/values.ts'
import type { Envelope, Frontier, SigningDevice } from '../api.ts'
import { Undecided } from '../engine/execution/applications.ts'
import { fail } from '../errors.ts'
import { type Callbacks, createCallbacks } from './callbacks.ts'
import { failHost } from './errors.ts'
import type { CallbackHost } from './host.ts'
import { BAD, readDevice, readFrontier } from './host-values.ts'

/** Most calls of the engine at a time. A callback that calls the engine after a pause is only noticed by this count. */
const MAX_CALLS = 10_000

/** The callbacks of the host, with checked results, and the running calls of the engine. */
export interface HostCalls extends HostValues, HostOrders, EngineCalls {
  /** Runs callbacks that the store adds. */
  readonly callbacks: Callbacks
  now(): number
  /** Never throws. */
  log(record: Omit<LogRecord, 'timeMs'>): void
  /** Ends the time limits of callbacks that are still running. */
  forget(): void
  yieldLoop(): Promise<void>
}

/** What the engine asks the host for. */
interface HostValues {
  identity(): Promise<unknown>
  device(keyId: string): Promise<SigningDevice | undefined>
  exists(domain: string): Promise<boolean>
  frontier(domain: string): Promise<Frontier | null>
}

/** What the host does for the engine. */
interface HostOrders {
  /** Rejects with `Undecided` if the callback does not settle in time. */
  apply(domain: string, envelope: Envelope): Promise<void>
  /** Rejects with the error of the host, which says whether another attempt makes sense. */
  deliver(envelope: Envelope, endpointId: string): Promise<void>
}

/** The running calls of the engine. */
interface EngineCalls {
  /** Throws `ERR_HOST_REENTRY` inside a callback. */
  outside(): void
  /** Counts a call of the engine as running until it settles. Throws `ERR_HOST_REENTRY`. */
  enter<T>(work: () => Promise<T>): Promise<T>
  /**
   * Resolves when no call is running. A callback that no call waits for, such as a last save, may still run, within its
   * time limit.
   */
  idle(): Promise<void>
}

/** Wraps a host. */
export function createHostCalls(host: CallbackHost): HostCalls {
  const callbacks = createCallbacks(host)
  const { timers, visit, now, forget } = callbacks
  return {
    ...createValues(host, callbacks),
    ...createOrders(host, callbacks),
    ...createEngineCalls(callbacks),
    callbacks,
    now,
    log(record) {
      try {
        const said: unknown = visit(() => host.log({ timeMs: host.now(), ...record }))
        Promise.resolve(said).catch(() => {})
      } catch {
        // A failure of the log cannot be logged.
      }
    },
    forget,
    yieldLoop: async () => {
      if (timers !== undefined) await new Promise<void>((resolve) => void timers.setTimeout(resolve, 0))
    },
  }
}

function createValues(host: CallbackHost, { ask }: Callbacks): HostValues {
  return {
    identity: () =>
      ask<unknown>(
        'identity',
        'the identity of the caller, or null',
        () => host.identity(),
        (one) => (one === null || isObject(one) ? one : BAD),
      ),
    device: (keyId) =>
      ask(
        'devices.get',
        'the device with this key id (keyId, scopes, status, expiresAtMs), or null',
        () => host.devices.get(keyId) as Awaitable<SigningDevice | undefined>,
        (one) => readDevice(one, keyId),
      ),
    exists: (domain) =>
      ask(
        'projects.has',
        'true or false',
        () => host.projects.has(domain),
        (one) => (typeof one === 'boolean' ? one : BAD),
      ),
    frontier: (domain) => ask('frontier', 'null, or heads of 64 hex digits', () => host.frontier(domain), readFrontier),
  }
}

function createOrders(host: CallbackHost, { settle, order }: Callbacks): HostOrders {
  return {
    apply: (domain, envelope) => order('apply', () => host.apply(domain, Object.freeze({ ...envelope }))),
    async deliver(envelope, endpointId) {
      try {
        await settle('deliver', () => {
          if (host.deliver === undefined) throw fail('transport_unavailable')
          return host.deliver(Object.freeze({ ...envelope }), endpointId)
        })
      } catch (cause) {
        throw cause instanceof Undecided ? cause.error : cause
      }
    },
  }
}

function createEngineCalls({ isInside, expire }: Callbacks): EngineCalls {
  const calls = new Set<Promise<unknown>>()
  const outside = (): void => {
    if (isInside() || calls.size >= MAX_CALLS) throw failHost('ERR_HOST_REENTRY')
  }
  return {
    outside,
    async enter(work) {
      outside()
      expire()
      const call = work()
      calls.add(call)
      return call.finally(() => calls.delete(call))
    },
    async idle() {
      while (calls.size > 0) await Promise.allSettled([...calls])
    },
  }
}
