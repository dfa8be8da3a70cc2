/**
 * The phases of a start. Set-up: each plugin after its dependencies, independent plugins in parallel. Then start and
 * ready: providers before users, one hook at a time.
 */

import type { Plugin } from '../declare/plugin.ts'
import type { KernelParts } from './compose.ts'
import { createContext, type PluginHooks, type Shared } from './context.ts'

declare const __PROGRAM__: boolean

/**
 * Sets up all plugins. `states` gets the hooks of each plugin that was set up, in dependency order at the end.
 * @throws the first failure, once every set-up has ended, so that no set-up runs during a stop
 */
export async function setUpAll(
  parts: KernelParts,
  states: PluginHooks[],
  ofKernel: Pick<Shared, 'surface' | 'settingsInForce'>,
): Promise<void> {
  const { ordered, contributions, environment, hub, run, settings } = parts
  const { manifest, storeParts } = parts.registry
  const done = new Map<Plugin, Promise<void>>()
  const failures: unknown[] = []
  for (const { plugin, after } of ordered) {
    const one = async (): Promise<void> => {
      await Promise.all(after.map((other) => done.get(other)))
      const shared = { settings, environment, manifest, storeParts, hub, contributions, ...ofKernel }
      const made = createContext(plugin, shared)
      await run('set-up', plugin, () => plugin.setup(made.context))
      contributions.checkComplete(plugin)
      states.push(made.state)
    }
    const promise = one()
    promise.catch((error: unknown) => failures.push(error))
    done.set(plugin, promise)
  }
  await Promise.allSettled(done.values())
  if (failures.length > 0) throw failures[0]
  // Parallel set-ups finish in any order.
  const rank = new Map(ordered.map(({ plugin }, index) => [plugin, index]))
  states.sort((a, b) => (rank.get(a.plugin) ?? 0) - (rank.get(b.plugin) ?? 0))
}

/** Logs the warnings of the settings: unknown variables, deprecated keys, files of secrets. Only a program has any. */
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
