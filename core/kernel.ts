/** The kernel: takes plugins through set-up, start, ready, drain and stop, and hands out what they made. */
import { kernelFail } from './catalogue.ts'
import { Composition } from './composition.ts'
import { createContext, type PluginState } from './context.ts'
import { withDeadline } from './deadline.ts'
import { type Environment, systemClock, systemRandom } from './environment.ts'
import { bodyLimitOf } from './http/body/body-limit.ts'
import { checkLimits } from './http/body/check-limits.ts'
import { type SurfaceName, surfaceNames } from './http/route.ts'
import { compileSurface, type Surface } from './http/surface.ts'
import { type Logger, LogHub, type LogSink } from './log.ts'
import type { BuildInfo, Registry } from './manifest.ts'
import { orderPlugins } from './order.ts'
import { phaseRunner, timeout } from './phase.ts'
import type { Capabilities, CapabilityName, Plugin } from './plugin.ts'
import { readSettings } from './settings/of-plugins.ts'
import type { SettingsSources } from './settings/resolve.ts'

declare const __PROGRAM__: boolean

/** Where a kernel is in its life. */
export type KernelState = 'new' | 'starting' | 'ready' | 'draining' | 'stopped'

/** What a kernel is made with. */
export interface KernelOptions {
  readonly settings?: SettingsSources
  /** Where records go, in place of the `LogSink` that a plugin may provide. */
  readonly log?: LogSink
  /** Where records go when no plugin of the profile provides a `LogSink`. */
  readonly fallbackLog?: LogSink
  /** Time and chance; the machine's where absent. */
  readonly environment?: Partial<Environment>
  /** Longest time in milliseconds for one hook of one plugin in set-up, start, ready and stop. */
  readonly phaseTimeoutMs?: number
}

/** A composed service. */
export interface Kernel {
  readonly manifest: BuildInfo
  readonly log: Logger
  readonly state: KernelState
  /** Value of a setting by its full key. */
  setting(key: string): unknown
  /** Sets up, starts and opens everything. On a failure what had started is stopped, and the first failure thrown. */
  start(): Promise<void>
  surface(name: SurfaceName): Surface
  /** @throws SvcError `ERR_FEATURE_ABSENT` that names the profiles which have it, `ERR_KERNEL_STATE` before the start */
  capability<N extends CapabilityName>(name: N): Capabilities[N]
  /**
   * Drains and stops; a second call waits for the first. A start that is under way ends with `ERR_KERNEL_STATE`.
   * With a `reason` the last line of the log says that it is over, and why it began.
   */
  stop(reason?: string): Promise<void>
}

/** Longer than any set-up that works; short enough that a hang is seen as one. */
const PHASE_TIMEOUT_MS = 10_000

/**
 * Composes the plugins of a registry. Settings and order are checked here, before anything runs.
 * @throws SvcError `ERR_SETTINGS_INVALID`, `ERR_SETTING_TWICE`, `ERR_ROUTE_LIMIT`, `ERR_PLUGIN_*`, `ERR_CAPABILITY_*`
 */
export function createKernel(registry: Registry<Plugin>, options: KernelOptions = {}): Kernel {
  const { manifest } = registry
  const environment: Environment = {
    clock: options.environment?.clock ?? systemClock,
    random: options.environment?.random ?? systemRandom,
  }
  const phaseTimeoutMs = options.phaseTimeoutMs ?? PHASE_TIMEOUT_MS
  const ordered = orderPlugins(registry.plugins, registry.absent.capabilities)
  const settings = readSettings(registry, options.settings)
  const hub = new LogHub(environment.clock.now)
  if (options.log !== undefined) hub.attach(options.log)
  const log = hub.logger('svc::kernel')
  const composition = new Composition(hub, registry)
  checkLimits(registry.plugins, settings.values)
  const surfaces = new Map<SurfaceName, Surface>()
  const states: PluginState[] = []
  let state: KernelState = 'new'
  let launched: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const surface = (name: SurfaceName): Surface => {
    const compiled = surfaces.get(name)
    if (compiled !== undefined) return compiled
    throw kernelFail('ERR_KERNEL_STATE', { message: 'Surfaces are there once everything is set up.' })
  }

  const run = phaseRunner(environment.clock, phaseTimeoutMs)

  const setUpAll = async (): Promise<void> => {
    const done = new Map<Plugin, Promise<void>>()
    const failures: unknown[] = []
    for (const { plugin, after } of ordered) {
      const one = async (): Promise<void> => {
        await Promise.all(after.map((other) => done.get(other)))
        const made = createContext(plugin, { settings, environment, manifest, hub, composition, surface })
        await run('set-up', plugin, () => plugin.setup(made.context))
        composition.checkComplete(plugin)
        states.push(made.state)
      }
      const promise = one()
      promise.catch((error: unknown) => failures.push(error))
      done.set(plugin, promise)
    }
    // All of them end before anything is stopped, each within its deadline: none sets itself up behind the stop.
    await Promise.allSettled(done.values())
    if (failures.length > 0) throw failures[0]
    // Back to dependency order: parallel set-up finishes in any.
    const rank = new Map(ordered.map(({ plugin }, index) => [plugin, index]))
    states.sort((a, b) => rank.get(a.plugin)! - rank.get(b.plugin)!)
  }

  const compile = (): void => {
    const origins = new Set(settings.values['server.cors_origins'] as readonly string[])
    for (const name of surfaceNames) {
      const compiled = compileSurface({
        name,
        routes: composition.routes.filter((route) => route.surface === name),
        guard: composition.guards.get(name),
        open: composition.open(name),
        hooks: composition.hooks.get(name) ?? [],
        log: hub.logger('svc::http'),
        monotonic: environment.clock.monotonic,
        newId: () => environment.random.uuid().replaceAll('-', ''),
        bodyLimit: (route) => bodyLimitOf(route, settings.values),
        cors: name === 'runtime' && origins.size > 0 ? { origins } : undefined,
      })
      surfaces.set(name, compiled)
    }
  }

  const goOn = (): void => {
    if (state !== 'starting')
      throw kernelFail('ERR_KERNEL_STATE', { message: 'The kernel was stopped while it started.' })
  }

  const launch = async (): Promise<void> => {
    await setUpAll()
    if (!hub.attached) hub.attach(options.fallbackLog ?? silent)
    // They are of the environment, which a library does not read.
    if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
      for (const { key, source, message } of settings.warnings) log.warn(`${source}: ${message}`, { key })
    compile()
    for (const phase of ['onStart', 'onReady'] as const) {
      for (const made of states) {
        for (const hook of made[phase]) {
          goOn()
          await run(phase === 'onStart' ? 'start' : 'ready', made.plugin, hook)
        }
      }
    }
    goOn()
    state = 'ready'
  }

  const start = async (): Promise<void> => {
    if (state !== 'new')
      throw kernelFail('ERR_KERNEL_STATE', { message: `A kernel starts once; this one is ${state}.` })
    state = 'starting'
    launched = launch()
    try {
      await launched
    } catch (error) {
      await stop()
      throw error
    }
  }

  const tryStop = (plugin: Plugin, hook: () => unknown): Promise<void> =>
    run('stop', plugin, hook).catch((error: unknown) =>
      log.error('A plugin did not stop.', { plugin: plugin.name, error }),
    )

  const stop = (reason?: string): Promise<void> => {
    stopping ??= (async () => {
      const served = state === 'ready'
      state = 'draining'
      for (const { plugin, onStopping } of states) for (const hook of onStopping) void tryStop(plugin, hook)
      const delayMs = settings.values['server.drain_delay_ms'] as number
      if (served && delayMs > 0) await new Promise<void>((over) => environment.clock.setTimeout(over, delayMs))
      // A start under way sees the state and ends; what it is waiting for has a deadline.
      await launched?.catch(() => undefined)
      if (!hub.attached) hub.attach(options.fallbackLog ?? silent)
      const graceMs = settings.values['server.shutdown_grace_ms'] as number
      const drains = states.flatMap(({ plugin, onDrain }) => onDrain.map((hook) => ({ plugin, hook })))
      await Promise.all(
        drains.map(async ({ plugin, hook }) => {
          try {
            await withDeadline(environment.clock, graceMs, hook, () => timeout(plugin, 'drain', graceMs))
          } catch (error) {
            log.warn('A plugin did not drain.', { plugin: plugin.name, error })
          }
        }),
      )
      for (const { plugin, onStop } of [...states].reverse()) {
        for (const hook of [...onStop].reverse()) await tryStop(plugin, hook)
      }
      state = 'stopped'
      // A library has no signals that it could name.
      if ((typeof __PROGRAM__ === 'undefined' || __PROGRAM__) && reason !== undefined)
        hub.logger('svc').info('Stopped.', { reason })
      // A log that cannot be written has nowhere to say so, and a stop is a stop.
      const late = (): Error => new Error('The log was not flushed in time.')
      await withDeadline(environment.clock, phaseTimeoutMs, () => hub.flush(), late).catch(() => undefined)
    })()
    return stopping
  }

  return {
    manifest,
    log: hub.logger('svc'),
    get state() {
      return state
    },
    setting: (key) => settings.values[key],
    start,
    surface,
    capability: (name) => {
      const present = registry.plugins.some(({ provides = [] }) => provides.includes(name))
      if (present && composition.find(name) === undefined) {
        throw kernelFail('ERR_KERNEL_STATE', { message: `${name} is there once the kernel has started.` })
      }
      return composition.get(name)
    },
    stop,
  }
}

const silent: LogSink = { enabled: () => false, write: () => undefined }
