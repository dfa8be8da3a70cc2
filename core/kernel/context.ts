/** Builds the context that is passed to a plugin's set-up. */

import type { StorePart } from '../declare/capabilities.ts'
import type { BuildInfo } from '../declare/manifest.ts'
import { instrumentsOf } from '../declare/metric.ts'
import type { Plugin, PluginContext } from '../declare/plugin.ts'
import type { SettingsTable } from '../declare/settings.ts'
import type { SurfaceName } from '../http/route.ts'
import type { Surface } from '../http/surface.ts'
import { type Contributions, undeclared } from './contributions.ts'
import type { Environment } from './environment.ts'
import type { LogHub } from './log.ts'
import type { ResolvedSettings } from './settings/resolve.ts'
import type { Awaitable } from './values.ts'

type Work = () => Awaitable<void>

/** The lifecycle hooks that a plugin registered. */
export interface PluginHooks {
  readonly plugin: Plugin
  readonly onStart: Work[]
  readonly onReady: Work[]
  readonly onReload: ((settings: Readonly<Record<string, unknown>>) => void)[]
  readonly onStopping: (() => void)[]
  readonly onDrain: Work[]
  readonly onStop: Work[]
}

/** What all contexts of a kernel share. */
export interface Shared {
  readonly settings: ResolvedSettings
  readonly environment: Environment
  readonly manifest: BuildInfo
  readonly storeParts: readonly StorePart[]
  readonly settingsInForce: PluginContext['settingsInForce']
  readonly hub: LogHub
  readonly contributions: Contributions
  /** @throws SvcError `ERR_KERNEL_STATE` before the surfaces are compiled */
  readonly surface: (name: SurfaceName) => Surface
}

/** A context for `plugin`, and the state that its calls fill. */
export function createContext(plugin: Plugin, shared: Shared): { context: PluginContext; state: PluginHooks } {
  const { contributions, environment, settings } = shared
  const state: PluginHooks = { plugin, onStart: [], onReady: [], onReload: [], onStopping: [], onDrain: [], onStop: [] }
  const context: PluginContext<SettingsTable> = {
    settings: ownSettings(plugin, settings.values),
    metrics: instrumentsOf(plugin.metrics ?? {}, () => contributions.find('MetricSink')),
    log: shared.hub.logger(`svc::${plugin.name.replace(/\W+/g, '::')}`),
    manifest: shared.manifest,
    storeParts: shared.storeParts,
    settingsInForce: shared.settingsInForce,
    clock: environment.clock,
    random: environment.random,
    use: (name) => {
      if (!plugin.requires?.includes(name)) throw undeclared(plugin, name, 'requires')
      return contributions.get(name)
    },
    find: (name) => {
      if (!plugin.wants?.includes(name)) throw undeclared(plugin, name, 'wants')
      return contributions.find(name)
    },
    useLater: (name) => {
      if (!plugin.requiresLater?.includes(name)) throw undeclared(plugin, name, 'requiresLater')
      return () => contributions.getLater(plugin, name)
    },
    findLater: (name) => {
      if (!plugin.wantsLater?.includes(name)) throw undeclared(plugin, name, 'wantsLater')
      return () => (contributions.isProvided(name) ? contributions.getLater(plugin, name) : undefined)
    },
    provide: (name, value) => contributions.provide(plugin, name, value),
    route: (spec, handler) => contributions.route(plugin, spec, handler),
    guard: (surface, guard) => contributions.guard(plugin, surface, guard),
    hook: (surface, hook) => contributions.hook(surface, hook),
    surface: shared.surface,
    onStart: (work) => void state.onStart.push(work),
    onReady: (work) => void state.onReady.push(work),
    onReload: (run) => void state.onReload.push(run),
    onStopping: (run) => void state.onStopping.push(run),
    onDrain: (work) => void state.onDrain.push(work),
    onStop: (work) => void state.onStop.push(work),
  }
  return { context, state }
}

/** A plugin sees the settings that it declared, and no others, so that it declares every dependency. */
export function ownSettings(
  plugin: Plugin,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.freeze(Object.fromEntries(Object.keys(plugin.settings ?? {}).map((key) => [key, values[key]])))
}
