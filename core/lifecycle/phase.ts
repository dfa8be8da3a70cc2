/** Runs the hooks of plugins, each with a time limit and with an error that names the plugin. */
import { kernelFail } from '../catalogue.ts'
import { documented } from '../documented.ts'
import type { Clock } from '../environment.ts'
import { isSvcError } from '../errors.ts'
import type { Plugin } from '../plugin.ts'
import { withDeadline } from './deadline.ts'

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
