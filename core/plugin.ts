/** What a plugin is, and what the kernel gives it. */
import type { Awaitable } from './awaitable.ts'
import type { Clock, Random } from './environment.ts'
import type { ErrorCatalogue } from './errors.ts'
import type { Guard } from './http/access/guard.ts'
import type { Hook } from './http/hooks.ts'
import type { Handler, RouteSpec, SurfaceName } from './http/route.ts'
import type { Surface } from './http/surface.ts'
import type { Logger } from './log.ts'
import type { BuildInfo } from './manifest.ts'
import type { SettingsOf, SettingsTable } from './settings/kinds.ts'
import type { SettingRefusal } from './settings/resolve.ts'

// The whole module, not the name alone: only so may others add to the interface through this one.
export * from './capabilities.ts'

// Not an import statement, which declarations of this file would have to keep for the sake of those additions (TS9026).
type Known = import('./capabilities.ts').Capabilities
type Part = import('./capabilities.ts').StorePart

/** Name of a capability. */
export type CapabilityName = keyof Known & string

/** A part of a service: what it needs, what it gives, and how it sets itself up. */
export interface Plugin<
  S extends SettingsTable = SettingsTable,
  R extends CapabilityName = CapabilityName,
  W extends CapabilityName = CapabilityName,
  P extends CapabilityName = CapabilityName,
  L extends CapabilityName = CapabilityName,
  M extends CapabilityName = CapabilityName,
> {
  /** Unique in a service. */
  readonly name: string
  /** The row of the feature matrix that it implements. */
  readonly feature: string
  /** Its own version, for plugins that are not part of this project. */
  readonly version?: string
  /** Capabilities that must be there; they are provided before `setup` runs. */
  readonly requires?: readonly R[]
  /** Capabilities that are used where some plugin provides them, through `ctx.find`. */
  readonly wants?: readonly W[]
  /**
   * Capabilities that must be there, and that are used only once everything is set up, through `ctx.useLater`. They do not
   * count for the order of set-up, so that two plugins may serve each other.
   */
  readonly requiresLater?: readonly L[]
  /** The same where some plugin provides them, through `ctx.findLater`. */
  readonly wantsLater?: readonly M[]
  /** Capabilities that `setup` provides before it ends. */
  readonly provides?: readonly P[]
  readonly settings?: S
  /**
   * What is wrong with settings that are well formed one by one: a secret that is too short, one that needs another. Runs
   * before any set-up, so that an operator hears everything at once; it reads and opens nothing. `all` are the values of
   * the whole profile by key.
   */
  checkSettings?(settings: SettingsOf<S>, all: Readonly<Record<string, unknown>>): readonly SettingRefusal[]
  /** The routes that `setup` binds handlers to. */
  readonly routes?: readonly RouteSpec[]
  /** The codes that it throws. */
  readonly errors?: Pick<ErrorCatalogue, 'rows'>
  /** Wires the plugin. Takes no traffic and opens nothing that needs closing: that is for `onStart`. */
  setup(ctx: PluginContext<S, R, W, P, L, M>): Awaitable<void>
}

/** The kernel as one plugin sees it. */
export interface PluginContext<
  S extends SettingsTable = SettingsTable,
  R extends CapabilityName = CapabilityName,
  W extends CapabilityName = CapabilityName,
  P extends CapabilityName = CapabilityName,
  L extends CapabilityName = CapabilityName,
  M extends CapabilityName = CapabilityName,
> extends Clocked {
  readonly settings: SettingsOf<S>
  readonly log: Logger
  readonly manifest: BuildInfo
  /** What the features of this build keep in the store, for the plugin that has the store. */
  readonly storeParts: readonly Part[]
  /** A capability named in `requires`. */
  use<N extends R>(name: N): Known[N]
  /** A capability named in `wants`, undefined where no plugin of this profile provides it. */
  find<N extends W>(name: N): Known[N] | undefined
  /**
   * Returns a function that returns a capability named in `requiresLater`. That function throws `ERR_KERNEL_STATE` until the
   * provider is set up: call it from `onStart` on.
   */
  useLater<N extends L>(name: N): () => Known[N]
  /** The same for `wantsLater`: the function returns undefined if no plugin of this profile provides the capability. */
  findLater<N extends M>(name: N): () => Known[N] | undefined
  /** Gives a capability named in `provides` to the others. */
  provide<N extends P>(name: N, value: Known[N]): void
  /** Binds the handler of a declared route. */
  route(spec: RouteSpec, handler: Handler): void
  /** Becomes the guard of a surface: it decides who the caller is before anything is routed. */
  guard(surface: SurfaceName, guard: Guard): void
  /** Watches the requests of a surface. */
  hook(surface: SurfaceName, hook: Hook): void
  /** The compiled surface, for transports; there from `onStart` on. */
  surface(name: SurfaceName): Surface
  /** Runs once everything is set up, providers before users. */
  onStart(run: () => Awaitable<void>): void
  /** Runs once everything is started: listeners open here. */
  onReady(run: () => Awaitable<void>): void
  /**
   * Runs when a program has read its settings again (SIGHUP) and all of them are valid, also if none has changed. `settings` has the new
   * values of those that declare `reload`. Must not throw, because other plugins have applied theirs.
   */
  onReload(run: (settings: SettingsOf<S>) => void): void
  /** Runs at the first moment of a stop, while the listeners are still open: say that it has begun, and wait for nothing. */
  onStopping(run: () => void): void
  /** Runs next on a stop, all at once: end streams, let requests in flight finish. */
  onDrain(run: () => Awaitable<void>): void
  /**
   * Runs last on a stop, users before providers: close what `onStart` opened. Where a start fails it runs for every
   * plugin that was set up, so it must not rely on `onStart` and `onReady` having run.
   */
  onStop(run: () => Awaitable<void>): void
}

/** Time and chance as the kernel hands them out. */
interface Clocked {
  readonly clock: Clock
  readonly random: Random
}

/**
 * Declares a plugin; it only carries types to `setup`: those of its settings, and the names of the capabilities that it
 * declared, so that the compiler refuses the use of any other. What it provides is told to the runtime that it is given to.
 */
export function definePlugin<
  const S extends SettingsTable,
  const R extends CapabilityName = never,
  const W extends CapabilityName = never,
  const P extends CapabilityName = never,
  const L extends CapabilityName = never,
  const M extends CapabilityName = never,
>(plugin: Plugin<S, R, W, P, L, M>): Plugin<SettingsTable, CapabilityName, CapabilityName, P> {
  return plugin as unknown as Plugin<SettingsTable, CapabilityName, CapabilityName, P>
}
