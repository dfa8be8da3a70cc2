/**
 * The kernel: runs the phases set-up, start, ready, drain and stop of plugins, and returns the capabilities that they
 * provide.
 */

import type { BuildInfo, Registry } from '../declare/manifest.ts'
import type { Capabilities, CapabilityName, Plugin } from '../declare/plugin.ts'
import type { SurfaceName } from '../http/route.ts'
import type { Surface } from '../http/surface.ts'
import { kernelFail } from './catalogue.ts'
import { compileSurfaces, composeKernel, type KernelOptions, type KernelParts } from './compose.ts'
import type { PluginHooks } from './context.ts'
import type { Logger } from './log.ts'
import { type Reloaded, reloadSettings } from './reload.ts'
import { type SettingInForce, settingsInForce } from './settings/in-force.ts'
import { settingsTable } from './settings/of-plugins.ts'
import type { SettingsSources } from './settings/resolve.ts'
import { setUpAll, startAll, warnOfSettings } from './start.ts'
import { stopAll } from './stop.ts'

declare const __PROGRAM__: boolean

/** The state of a kernel. */
export type KernelState = 'new' | 'starting' | 'ready' | 'draining' | 'stopped'

/** A composed service. */
export interface Kernel {
  readonly manifest: BuildInfo
  readonly log: Logger
  readonly state: KernelState
  /** Value of a setting by its full key. */
  setting(key: string): unknown
  /**
   * Sets up and starts all plugins. After a failure, stops the plugins that were set up, and throws the first failure.
   */
  start(): Promise<void>
  surface(name: SurfaceName): Surface
  /**
   * @throws SvcError `ERR_FEATURE_ABSENT` that names the profiles with the capability, `ERR_KERNEL_STATE` before the
   * start
   */
  capability<N extends CapabilityName>(name: N): Capabilities[N]
  /**
   * Reads the settings again. All are validated, and those that declare `reload` get their new values. Undefined in a
   * library.
   * @throws SvcError `ERR_SETTINGS_INVALID`, and then nothing has changed; `ERR_KERNEL_STATE` if the kernel is not
   * ready
   */
  readonly reload: ((sources: SettingsSources) => Omit<Reloaded, 'values' | 'sourceNames'>) | undefined
  /**
   * Drains and stops. A second call waits for the first. A running start ends with `ERR_KERNEL_STATE`. With a `reason`,
   * the last line of the log reports the end of the stop and its reason.
   */
  stop(reason?: string): Promise<void>
}

/**
 * Composes the plugins of a registry. Settings and order are checked here, before anything runs.
 * @throws SvcError `ERR_SETTINGS_INVALID`, `ERR_SETTING_TWICE`, `ERR_ROUTE_LIMIT`, `ERR_PLUGIN_*`, `ERR_CAPABILITY_*`
 */
export function createKernel(registry: Registry<Plugin>, options: KernelOptions = {}): Kernel {
  const parts = composeKernel(registry, options)
  const states: PluginHooks[] = []
  let surfaces: ReadonlyMap<SurfaceName, Surface> = new Map()
  let state: KernelState = 'new'
  let { values, sourceNames } = parts.settings
  let launched: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const surface = (name: SurfaceName): Surface => {
    const compiled = surfaces.get(name)
    if (compiled !== undefined) return compiled
    throw kernelFail('ERR_KERNEL_STATE', { message: 'Surfaces are there once everything is set up.' })
  }

  const inForce = (): readonly SettingInForce[] =>
    typeof __PROGRAM__ === 'undefined' || __PROGRAM__
      ? settingsInForce(settingsTable(registry.plugins), values, sourceNames)
      : []

  const launch = async (): Promise<void> => {
    await setUpAll(parts, states, { surface, settingsInForce: inForce })
    parts.attachLog()
    warnOfSettings(parts)
    surfaces = compileSurfaces(parts)
    await startAll(parts, states, () => {
      if (state !== 'starting')
        throw kernelFail('ERR_KERNEL_STATE', { message: 'The kernel was stopped while it started.' })
    })
    state = 'ready'
  }

  const stop = (reason?: string): Promise<void> => {
    if (stopping === undefined) {
      const served = state === 'ready'
      state = 'draining'
      stopping = stopAll(parts, { states, served, start: launched, reason }).then(() => {
        state = 'stopped'
      })
    }
    return stopping
  }

  const reload =
    typeof __PROGRAM__ === 'undefined' || __PROGRAM__
      ? (sources: SettingsSources): Reloaded => {
          if (state !== 'ready')
            throw kernelFail('ERR_KERNEL_STATE', { message: 'Settings are read again while the service is ready.' })
          const reloaded = reloadSettings(parts, states, { values, sourceNames }, sources)
          ;({ values, sourceNames } = reloaded)
          return reloaded
        }
      : undefined

  return {
    manifest: registry.manifest,
    log: parts.hub.logger('svc'),
    get state() {
      return state
    },
    setting: (key) => values[key],
    start: async () => {
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
    },
    surface,
    capability: (name) => capabilityOf(parts, name),
    reload,
    stop,
  }
}

/**
 * @throws SvcError `ERR_KERNEL_STATE` before the provider is set up, `ERR_FEATURE_ABSENT` if no plugin provides the
 * capability
 */
function capabilityOf<N extends CapabilityName>({ registry, contributions }: KernelParts, name: N): Capabilities[N] {
  const present = registry.plugins.some(({ provides = [] }) => provides.includes(name))
  if (present && contributions.find(name) === undefined) {
    throw kernelFail('ERR_KERNEL_STATE', { message: `${name} is there once the kernel has started.` })
  }
  return contributions.get(name)
}
