/** Composes a kernel: the parts that all its phases share, and its surfaces. */

import type { Registry } from '../declare/manifest.ts'
import type { Plugin } from '../declare/plugin.ts'
import { bodyLimitOf } from '../http/body-limits.ts'
import { routeId, type SurfaceName, surfaceNames } from '../http/route.ts'
import { compileSurface, type Surface } from '../http/surface.ts'
import { kernelFail } from './catalogue.ts'
import { Contributions } from './contributions.ts'
import { type Environment, systemClock, systemRandom } from './environment.ts'
import { type Logger, LogHub, type LogSink } from './log.ts'
import { nearest } from './nearest.ts'
import { type Ordered, orderPlugins } from './order.ts'
import { phaseRunner, type RunPhase } from './phase.ts'
import { readSettings } from './settings/of-plugins.ts'
import type { ResolvedSettings, SettingsSources } from './settings/resolve.ts'

/** Options of a kernel. */
export interface KernelOptions {
  readonly settings?: SettingsSources
  /** The sink for records, in place of the `LogSink` of a plugin. */
  readonly log?: LogSink
  /** The sink for records if no plugin of the profile provides a `LogSink`. */
  readonly fallbackLog?: LogSink
  /** Clock and random source; those of the machine if absent. */
  readonly environment?: Partial<Environment>
  /** Longest time in milliseconds for one hook of one plugin in set-up, start, ready and stop. */
  readonly phaseTimeoutMs?: number
}

/** A composed kernel before it runs. */
export interface KernelParts {
  readonly registry: Registry<Plugin>
  readonly environment: Environment
  readonly settings: ResolvedSettings
  /** The plugins in dependency order. */
  readonly ordered: readonly Ordered[]
  readonly contributions: Contributions
  readonly hub: LogHub
  readonly log: Logger
  /** Attaches the fallback sink if no other sink is attached, so that held records are written. */
  readonly attachLog: () => void
  readonly phaseTimeoutMs: number
  readonly run: RunPhase
}

/** Longer than any working set-up, and short enough to recognise a hanging one. */
const PHASE_TIMEOUT_MS = 10_000

const silent: LogSink = { enabled: () => false, write: () => undefined }

/**
 * Orders the plugins, reads and checks the settings, and creates the shared parts. No set-up runs.
 * @throws SvcError `ERR_SETTINGS_INVALID`, `ERR_SETTING_TWICE`, `ERR_ROUTE_LIMIT`, `ERR_PLUGIN_*`, `ERR_CAPABILITY_*`
 */
export function composeKernel(registry: Registry<Plugin>, options: KernelOptions): KernelParts {
  const environment: Environment = {
    clock: options.environment?.clock ?? systemClock,
    random: options.environment?.random ?? systemRandom,
  }
  const phaseTimeoutMs = options.phaseTimeoutMs ?? PHASE_TIMEOUT_MS
  const ordered = orderPlugins(registry.plugins, registry.absent.capabilities)
  const settings = readSettings(registry, options.settings)
  checkLimits(registry.plugins, settings.values)
  const hub = new LogHub(environment.clock.now)
  if (options.log !== undefined) hub.attach(options.log)
  return {
    registry,
    environment,
    settings,
    ordered,
    contributions: new Contributions(hub, registry),
    hub,
    log: hub.logger('svc::kernel'),
    attachLog: () => {
      if (!hub.attached) hub.attach(options.fallbackLog ?? silent)
    },
    phaseTimeoutMs,
    run: phaseRunner(environment.clock, phaseTimeoutMs),
  }
}

/** All surfaces by name, including those without routes. */
export function compileSurfaces(parts: KernelParts): ReadonlyMap<SurfaceName, Surface> {
  const { contributions, environment, hub, settings } = parts
  const origins = new Set(settings.values['server.cors_origins'] as readonly string[])
  const compile = (name: SurfaceName): Surface =>
    compileSurface({
      name,
      routes: contributions.routes.filter((route) => route.surface === name),
      guard: contributions.guards.get(name),
      open: contributions.open(name),
      hooks: contributions.hooks.get(name) ?? [],
      log: hub.logger('svc::http'),
      monotonic: environment.clock.monotonic,
      newId: () => environment.random.uuid().replaceAll('-', ''),
      bodyLimit: (route) => bodyLimitOf(route, settings.values),
      cors: name === 'runtime' && origins.size > 0 ? { origins } : undefined,
    })
  return new Map(surfaceNames.map((name) => [name, compile(name)]))
}

/**
 * Checks that the `limit` of each route is a setting with a number, because any other value would let every size pass.
 * @throws SvcError `ERR_ROUTE_LIMIT`
 */
function checkLimits(plugins: readonly Plugin[], values: Readonly<Record<string, unknown>>): void {
  for (const plugin of plugins) {
    for (const route of plugin.routes ?? []) {
      const key = route.body?.limit
      if (key !== undefined && !(Object.hasOwn(values, key) && typeof values[key] === 'number')) {
        const near = nearest(key, Object.keys(values))
        throw kernelFail('ERR_ROUTE_LIMIT', {
          message: `"${plugin.name}" limits the body of ${routeId(route)} by ${key}, which is not a declared number.`,
          ...(near === undefined ? {} : { hint: `Did you mean ${near}?` }),
        })
      }
    }
  }
}
