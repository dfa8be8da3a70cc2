/** The phases start and ready, after the set-up: providers before users, one hook at a time. */
import type { PluginState } from '../composition/context.ts'
import type { KernelParts } from './parts.ts'

declare const __PROGRAM__: boolean

/** Logs what the settings' sources have that no setting reads. Only a program reads an environment. */
export function warnOfSettings({ log, settings }: KernelParts): void {
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
    for (const { key, source, message } of settings.warnings) log.warn(`${source}: ${message}`, { key })
}

/**
 * Runs the hooks of both phases. `goOn` runs before each hook and throws where a stop has begun.
 * @throws what a hook or `goOn` throws
 */
export async function startAll({ run }: KernelParts, states: readonly PluginState[], goOn: () => void): Promise<void> {
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
