/** The phases start and ready, after the set-up: providers before users, one hook at a time. */
import type { PluginHooks } from '../composition/context.ts'
import type { KernelParts } from './compose-kernel.ts'

declare const __PROGRAM__: boolean

/** Logs the names in the sources of settings that no setting has. Only a program reads an environment. */
export function warnOfSettings({ log, settings }: KernelParts): void {
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
    for (const { key, source, message } of settings.warnings) log.warn(`${source}: ${message}`, { key })
}

/**
 * Runs the hooks of both phases. `goOn` runs before each hook, and throws if a stop has begun.
 * @throws the error of a hook or of `goOn`
 */
export async function startAll({ run }: KernelParts, states: readonly PluginHooks[], goOn: () => void): Promise<void> {
  for (const phase of ['onStart', 'onReady'] as const) {
    for (const state of states) {
      for (const hook of state[phase]) {
        goOn()
        await run(phase === 'onStart' ? 'start' : 'ready', state.plugin, hook)
      }
    }
  }
  goOn()
}
