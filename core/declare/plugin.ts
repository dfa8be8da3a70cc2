/** The interface of plugins, and the context that the kernel passes to them. */

import type { Guard } from '../http/guard.ts'
import type { Hook } from '../http/hooks.ts'
import type { Handler, RouteSpec, SurfaceName } from '../http/route.ts'
import type { Surface } from '../http/surface.ts'
import type { Clock, Random } from '../kernel/environment.ts'
import type { Logger } from '../kernel/log.ts'
import type { SettingInForce } from '../kernel/settings/in-force.ts'
import type { MachineRefusal, SettingRefusal } from '../kernel/settings/resolve.ts'
import type { Awaitable } from '../kernel/values.ts'
import type { ErrorCatalogue } from './errors.ts'
import type { BuildInfo } from './manifest.ts'
import type { InstrumentsOf, MetricsTable } from './metric.ts'
import type { SettingsOf, SettingsTable } from './settings.ts'

// The whole module is exported, because other modules can add to the interface through this one only then.
export * from './capabilities.ts'

// Not an import statement: generated declarations would have to keep it because of those additions (TS9026).
type Known = import('./capabilities.ts').Capabilities
type Part = import('./capabilities.ts').StorePart

/** Name of a capability. */
export type CapabilityName = keyof Known & string

/** A part of a service: what it requires, what it provides, and its set-up. */
export interface Plugin<
  S extends SettingsTable = SettingsTable,
  R extends CapabilityName = CapabilityName,
  W extends CapabilityName = CapabilityName,
  P extends CapabilityName = CapabilityName,
  L extends CapabilityName = CapabilityName,
  M extends CapabilityName = CapabilityName,
  I extends MetricsTable = MetricsTable,
> {
  /** Unique in a service. */
  readonly name: string
  /** The id of the feature that the plugin implements. */
  readonly feature: string
  /** The version of a plugin that is not part of this project. */
  readonly version?: string
  /** Capabilities that some plugin must provide. They are provided before `setup` runs. */
  readonly requires?: readonly R[]
  /** Capabilities that are used, through `ctx.find`, if some plugin provides them. */
  readonly wants?: readonly W[]
  /**
   * Capabilities that some plugin must provide, and that are used only after the set-up of all plugins, through
   * `ctx.useLater`. They do not count for the order of set-up, so that two plugins may use each other.
   */
  readonly requiresLater?: readonly L[]
  /** The same, through `ctx.findLater`, for capabilities that no plugin need provide. */
  readonly wantsLater?: readonly M[]
  /** Capabilities that `setup` provides before it ends. */
  readonly provides?: readonly P[]
  readonly settings?: S
  /** What `setup` counts, through `ctx.metrics`, by the names of its instruments. */
  readonly metrics?: I
  /**
   * Validates combinations of settings, after each one has been validated alone. Runs before any set-up, so that all
   * problems are reported together; it reads and opens nothing. `all` are the values of the whole profile by key.
   */
  checkSettings?(settings: SettingsOf<S>, all: Readonly<Record<string, unknown>>): readonly SettingRefusal[]
  /**
   * Looks on this machine for what a start with valid settings would refuse, such as a folder of another user or a port
   * that is taken. `svc check-config` calls it, without a set-up. It changes nothing.
   */
  checkMachine?(settings: SettingsOf<S>, storeParts: readonly Part[]): Awaitable<readonly MachineRefusal[]>
  /** The routes that `setup` binds handlers to. */
  readonly routes?: readonly RouteSpec[]
  /** The catalogue of its error codes. */
  readonly errors?: Pick<ErrorCatalogue, 'rows'>
  /**
   * Connects the plugin with others. It must not take traffic or open anything that needs closing: `onStart` is for
   * that.
   */
  setup(ctx: PluginContext<S, R, W, P, L, M, I>): Awaitable<void>
}

/** What the kernel provides to one plugin. */
export interface PluginContext<
  S extends SettingsTable = SettingsTable,
  R extends CapabilityName = CapabilityName,
  W extends CapabilityName = CapabilityName,
  P extends CapabilityName = CapabilityName,
  L extends CapabilityName = CapabilityName,
  M extends CapabilityName = CapabilityName,
  I extends MetricsTable = MetricsTable,
> {
  readonly settings: SettingsOf<S>
  /** The instruments of `metrics`. They do nothing in a profile that collects no metrics. */
  readonly metrics: InstrumentsOf<I>
  readonly log: Logger
  readonly clock: Clock
  readonly random: Random
  readonly manifest: BuildInfo
  /**
   * All settings as they are in force when it is called, for the owner of the machine. A library gives none, because
   * its host has them.
   */
  readonly settingsInForce: () => readonly SettingInForce[]
  /** What the features of this build keep in the store. The plugin of the store uses it. */
  readonly storeParts: readonly Part[]
  /** A capability named in `requires`. */
  use<N extends R>(name: N): Known[N]
  /** A capability named in `wants`; undefined if no plugin of this profile provides it. */
  find<N extends W>(name: N): Known[N] | undefined
  /**
   * Returns a function that returns a capability named in `requiresLater`. That function throws `ERR_KERNEL_STATE`
   * until the provider is set up: call it from `onStart` on.
   */
  useLater<N extends L>(name: N): () => Known[N]
  /** The same for `wantsLater`: the function returns undefined if no plugin of this profile provides the capability. */
  findLater<N extends M>(name: N): () => Known[N] | undefined
  /** Provides a capability named in `provides`. */
  provide<N extends P>(name: N, value: Known[N]): void
  /**
   * Binds the handler of a declared route. With false the route is not served: requests get the answer of a profile
   * without it.
   */
  route(spec: RouteSpec, handler: Handler | false): void
  /** Sets the guard of a surface. The guard decides who the caller is, before any handler runs. */
  guard(surface: SurfaceName, guard: Guard): void
  /** Watches the requests of a surface. */
  hook(surface: SurfaceName, hook: Hook): void
  /** The compiled surface, for transports. Available from `onStart` on. */
  surface(name: SurfaceName): Surface
  /** Runs after the set-up of all plugins, providers before users. */
  onStart(run: () => Awaitable<void>): void
  /** Runs after the start of all plugins. Listeners open here. */
  onReady(run: () => Awaitable<void>): void
  /**
   * Runs when a program has read its settings again (SIGHUP) and all of them are valid, even if none has changed.
   * `settings` has the new values of those that declare `reload`. Must not throw, because other plugins have applied
   * theirs.
   */
  onReload(run: (settings: SettingsOf<S>) => void): void
  /** Runs when a stop begins, while the listeners are still open. The stop does not wait for it. */
  onStopping(run: () => void): void
  /** Runs next in a stop, for all plugins at once: ends streams, and waits for requests in flight. */
  onDrain(run: () => Awaitable<void>): void
  /**
   * Runs last in a stop, users before providers: closes what `onStart` opened. After a failed start it runs for every
   * plugin that was set up, even if its `onStart` and `onReady` did not run.
   */
  onStop(run: () => Awaitable<void>): void
}

/**
 * Declares a plugin. The function only adds types: `setup` gets the types of the settings, and may use the declared
 * capabilities alone. A runtime that gets the plugin has the types of what the plugin provides.
 */
export function definePlugin<
  const S extends SettingsTable,
  const R extends CapabilityName = never,
  const W extends CapabilityName = never,
  const P extends CapabilityName = never,
  const L extends CapabilityName = never,
  const M extends CapabilityName = never,
  const I extends MetricsTable = Record<never, never>,
>(plugin: Plugin<S, R, W, P, L, M, I>): Plugin<SettingsTable, CapabilityName, CapabilityName, P> {
  return plugin as unknown as Plugin<SettingsTable, CapabilityName, CapabilityName, P>
}
