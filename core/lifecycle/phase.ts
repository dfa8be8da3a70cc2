/** Runs the hooks of plugins, each within a limit and with an error that says whose it was. */
import { kernelFail } from '../catalogue.ts'
import { documented } from '../documented.ts'
import type { Clock } from '../environment.ts'
import { isSvcError } from '../errors.ts'
import type { Plugin } from '../plugin.ts'
import { withDeadline } from './deadline.ts'

/** Does some work of a plugin in a phase; what it throws becomes an `ERR_*` that names both. */
export type RunPhase = (phase: string, plugin: Plugin, work: () => unknown) => Promise<void>

/** Makes a runner of phases with one limit in milliseconds. */
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
  // What can be done about it is known where it failed.
  const hint = isSvcError(cause) && cause.hint !== undefined ? { hint: cause.hint } : {}
  return kernelFail('ERR_PLUGIN_FAILED', {
    message: `"${plugin.name}" failed in its ${phase}: ${reason}`,
    cause,
    ...hint,
  })
}
