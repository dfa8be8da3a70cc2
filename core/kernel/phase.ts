/** Runs the hooks of plugins, each with a time limit and with an error that names the plugin. */

import { documented } from '../declare/described.ts'
import { isSvcError } from '../declare/errors.ts'
import type { Plugin } from '../declare/plugin.ts'
import { kernelFail } from './catalogue.ts'
import type { Clock } from './environment.ts'
import type { Awaitable } from './values.ts'

/** Runs work of a plugin in a phase. Its error becomes an `ERR_*` that names the plugin and the phase. */
export type RunPhase = (phase: string, plugin: Plugin, work: () => unknown) => Promise<void>

/** Makes a function that runs phases, all with the same limit in milliseconds. */
export function phaseRunner(clock: Clock, limitMs: number): RunPhase {
  return async (phase, plugin, work) => {
    try {
      await withDeadline(clock, limitMs, work, () => timeout(plugin, phase, limitMs))
    } catch (error) {
      throw isSvcError(error) && error.code.startsWith('ERR_') ? error : failed(plugin, phase, error)
    }
  }
}

/** The error of a plugin that took too long. */
export function timeout(plugin: Plugin, phase: string, ms: number): Error {
  return kernelFail('ERR_PLUGIN_TIMEOUT', {
    message: `"${plugin.name}" did not finish its ${phase} within ${ms} ms.`,
    hint: documented('A promise that never settles is the usual cause.'),
  })
}

function failed(plugin: Plugin, phase: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  // The hint of the cause is kept, because only the failed code knows what to do.
  const hint = isSvcError(cause) && cause.hint !== undefined ? { hint: cause.hint } : {}
  return kernelFail('ERR_PLUGIN_FAILED', {
    message: `"${plugin.name}" failed in its ${phase}: ${reason}`,
    cause,
    ...hint,
  })
}

/**
 * Runs `work` and waits for it at most `limitMs` milliseconds.
 * @throws the error of `work`, or `late()` when the time is over. The work itself cannot be stopped and goes on.
 */
export async function withDeadline<T>(
  clock: Clock,
  limitMs: number,
  work: () => Awaitable<T>,
  late: () => Error,
): Promise<T> {
  const result = work()
  // Not `instanceof Promise`, because a host may pass promises of another realm or of a library.
  if (typeof (result as Partial<Promise<T>> | null | undefined)?.then !== 'function') return result
  return new Promise<T>((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(late()), limitMs)
    const settle = <V>(then: (value: V) => void) => {
      return (value: V): void => {
        clock.clearTimeout(timer)
        then(value)
      }
    }
    Promise.resolve(result).then(settle(resolve), settle(reject))
  })
}
