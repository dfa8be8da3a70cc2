/** The parts that all phases of a kernel share. */
import { Composition } from '../composition/composition.ts'
import { type Environment, systemClock, systemRandom } from '../environment.ts'
import { checkLimits } from '../http/body/check-limits.ts'
import { type Logger, LogHub, type LogSink } from '../log.ts'
import type { Registry } from '../manifest.ts'
import { type Ordered, orderPlugins } from '../order.ts'
import type { Plugin } from '../plugin.ts'
import { readSettings } from '../settings/of-plugins.ts'
import type { ResolvedSettings, SettingsSources } from '../settings/resolve.ts'
import { phaseRunner, type RunPhase } from './phase.ts'

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
  readonly composition: Composition
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
 * Checks order, settings and limits of a registry, and runs nothing.
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
    composition: new Composition(hub, registry),
    hub,
    log: hub.logger('svc::kernel'),
    attachLog: () => {
      if (!hub.attached) hub.attach(options.fallbackLog ?? silent)
    },
    phaseTimeoutMs,
    run: phaseRunner(environment.clock, phaseTimeoutMs),
  }
}
