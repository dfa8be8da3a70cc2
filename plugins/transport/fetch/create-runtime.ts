/** The library entry of the profiles that answer fetch requests. */
import { isSvcError } from '../../../core/errors.ts'
import type { FetchHandler } from '../../../core/http/fetch.ts'
import { createKernel, type Kernel } from '../../../core/kernel.ts'
import type { LogSink } from '../../../core/log.ts'
import type { Registry } from '../../../core/manifest.ts'
import { type CapabilityName, definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { AnyProfile, CapabilityOf, ProfileTypes } from '../../../core/profile-types.ts'
import type { SettingsTable } from '../../../core/settings/kinds.ts'
import type { LogOutput } from '../../telemetry/api.ts'
import { notReady } from './not-ready.ts'

/** What a runtime is made with; `G` are the names of the capabilities that plugins of the host give. */
export interface RuntimeOptions<P extends ProfileTypes = AnyProfile, G extends CapabilityName = CapabilityName> {
  /** Settings, nested as in a configuration file: `{ security: { jwt_secret: '…' } }`. */
  readonly settings?: P['settings']
  /** Plugins of the host's own, beside those of the profile. */
  readonly plugins?: readonly Plugin<SettingsTable, CapabilityName, CapabilityName, G>[]
  /** Takes the log entries that the settings let through, in place of the console or standard output. */
  readonly log?: LogOutput
}

/** A runtime in the host's process. */
export interface Runtime<P extends ProfileTypes = AnyProfile, G extends CapabilityName = never> {
  /**
   * Answers a request. One that comes during the start waits for it, and is rejected with what stopped it; after
   * `close()` the answer is 503 `not_ready`. Needs no `this`.
   */
  readonly fetch: FetchHandler
  /** Resolves when requests are answered, rejects with what stopped the start. */
  ready(): Promise<void>
  /** Lets requests in flight finish, then stops. */
  close(): Promise<void>
  /**
   * What plugins gave. A name that neither the profile nor a plugin of the host gives does not compile.
   * @throws SvcError `ERR_FEATURE_ABSENT` that names the profiles which have it, `ERR_KERNEL_STATE` before the start
   */
  readonly capability: CapabilityOf<P, G>
  /** For the compiler alone, which takes no runtime of one profile for that of another. */
  readonly __profile?: P['name']
}

/** {@link createRuntime} as the library of a profile has it. */
export type CreateRuntime<P extends ProfileTypes> = <G extends CapabilityName = never>(
  options?: RuntimeOptions<P, G>,
) => Runtime<P, G>

/**
 * Makes a runtime and begins to start it; a request that comes meanwhile waits for the start.
 * @throws SvcError `ERR_SETTINGS_INVALID` with all that is wrong, `ERR_PLUGIN_*`
 */
export function createRuntime<P extends ProfileTypes = AnyProfile, G extends CapabilityName = never>(
  registry: Registry<Plugin>,
  options: RuntimeOptions<P, G> = {},
): Runtime<P, G> {
  const { settings, plugins = [], log } = options
  const kernel: Kernel = createKernel(
    { ...registry, plugins: [...registry.plugins, ...plugins, ...(log === undefined ? [] : [hostLog(log)])] },
    {
      settings: {
        ...(log === undefined ? { defaults: QUIET } : {}),
        ...(settings === undefined ? {} : { config: { name: 'settings', value: settings } }),
      },
      ...(log === undefined ? {} : { fallbackLog: plainLog(log) }),
    },
  )
  const started = kernel.start()
  // Whoever calls ready() or fetch() sees the failure; a host that calls neither must not die of it.
  started.catch(() => undefined)
  return {
    fetch: async (request, info) => {
      try {
        await started
      } catch (error) {
        if (isSvcError(error, 'ERR_KERNEL_STATE')) return notReady()
        throw error
      }
      return kernel.capability('Fetch')(request, info)
    },
    ready: () => started,
    close: () => kernel.stop(),
    capability: (name) => kernel.capability(name),
  }
}

/** A library that prints by itself says nothing unless something is wrong; the program tells of every request. */
const QUIET = { 'logs.filter': 'warn' }

/** The host's `log` as a plugin, for the log feature to find. */
function hostLog(log: LogOutput): Plugin {
  return definePlugin({
    name: 'host.log',
    feature: 'host.log',
    provides: ['LogOutput'],
    setup: (ctx) => ctx.provide('LogOutput', log),
  })
}

/** The host's `log` where the profile has no log feature to filter and redact for it. */
function plainLog(log: LogOutput): LogSink {
  return {
    enabled: () => true,
    write: ({ timeMs, level, target, message, fields }) => {
      const timestamp = new Date(timeMs).toISOString()
      const entry = { ...fields, timestamp, level: level.toUpperCase(), target, message }
      log(entry, `${entry.timestamp} ${entry.level} ${target}: ${message}\n`)
    },
  }
}
