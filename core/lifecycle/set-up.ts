/** The set-up phase: each plugin after its dependencies, independent plugins in parallel. */
import { createContext, type PluginHooks, type Shared } from '../composition/context.ts'
import type { Plugin } from '../plugin.ts'
import type { KernelParts } from './compose-kernel.ts'

/**
 * Sets up all plugins. `states` gets the hooks of each plugin that was set up, in dependency order at the end.
 * @throws the first failure, once every set-up has ended, so that no set-up runs during a stop
 */
export async function setUpAll(
  parts: KernelParts,
  states: PluginHooks[],
  ofKernel: Pick<Shared, 'surface' | 'settingsInForce'>,
): Promise<void> {
  const { ordered, composition, environment, hub, run, settings } = parts
  const { manifest, storeParts } = parts.registry
  const done = new Map<Plugin, Promise<void>>()
  const failures: unknown[] = []
  for (const { plugin, after } of ordered) {
    const one = async (): Promise<void> => {
      await Promise.all(after.map((other) => done.get(other)))
      const shared = { settings, environment, manifest, storeParts, hub, composition, ...ofKernel }
      const made = createContext(plugin, shared)
      await run('set-up', plugin, () => plugin.setup(made.context))
      composition.checkComplete(plugin)
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
