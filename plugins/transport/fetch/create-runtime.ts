/** The library entry of the profiles that answer fetch requests. */
import { isSvcError } from '../../../core/declare/errors.ts'
import type { Registry } from '../../../core/declare/manifest.ts'
import { type CapabilityName, definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import type { AnyProfile, CapabilityOf, ProfileTypes } from '../../../core/declare/profile-types.ts'
import type { SettingsTable } from '../../../core/declare/settings.ts'
import type { FetchHandler } from '../../../core/http/fetch.ts'
import { errorReply } from '../../../core/http/reply.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { createKernel, type Kernel } from '../../../core/kernel/kernel.ts'
import type { LogOutput, LogSink } from '../../../core/kernel/log.ts'

/** The options of a runtime. `G` are the names of the capabilities that plugins of the host provide. */
export interface RuntimeOptions<P extends ProfileTypes = AnyProfile, G extends CapabilityName = CapabilityName> {
  /** Settings, nested as in a configuration file: `{ security: { jwt_secret: '…' } }`. */
  readonly settings?: P['settings']
  /** Plugins of the host, besides those of the profile. */
  readonly plugins?: readonly Plugin<SettingsTable, CapabilityName, CapabilityName, G>[]
  /** Gets the log entries that pass the filter, in place of the console or standard output. */
  readonly log?: LogOutput
}

/** A runtime in the host's process. */
export interface Runtime<P extends ProfileTypes = AnyProfile, G extends CapabilityName = never> {
  /**
   * Answers a request. A request during the start waits for it, and is rejected with the error of a failed start. After
   * `close()` the answer is 503 `not_ready`. The function needs no `this`. A `Request` has resolved its URL already:
   * dot segments (`/x/../api` and `/x/%2e%2e/api` are `/api`), backslashes and the fragment are gone, so a guard of the
   * host must judge `request.url` too, not the text from which the `Request` was made.
   */
  readonly fetch: FetchHandler
  /** Starts the runtime. Resolves when requests are answered; rejects with the error of a failed start. */
  ready(): Promise<void>
  /** Waits for requests in flight, then stops. */
  close(): Promise<void>
  /**
   * Returns a capability of a plugin. A name that neither the profile nor a plugin of the host provides does not
   * compile.
   * @throws SvcError `ERR_FEATURE_ABSENT` that names the profiles which have it, `ERR_KERNEL_STATE` before the start
   */
  readonly capability: CapabilityOf<P, G>
  /** For the compiler alone, so that runtimes of different profiles have different types. */
  readonly __profile?: P['name']
}

/** The type of {@link createRuntime} in the library of a profile. */
export type CreateRuntime<P extends ProfileTypes> = <G extends CapabilityName = never>(
  options?: RuntimeOptions<P, G>,
) => Runtime<P, G>

/**
 * Creates a runtime, which starts with `ready()` or the first request: some platforms allow no timers and no random
 * numbers while modules are loaded. Requests during the start wait for it.
 * @throws SvcError `ERR_SETTINGS_INVALID` with all problems, `ERR_PLUGIN_*`
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
  let started: Promise<void> | undefined
  const ready = (): Promise<void> => (started ??= kernel.start())
  return {
    fetch: async (request, info) => {
      // On a platform where a promise settles only in the request that made it, later requests must not wait for the
      // start.
      if (kernel.state !== 'ready') {
        try {
          await ready()
        } catch (error) {
          if (isSvcError(error, 'ERR_KERNEL_STATE')) return notReady()
          throw error
        }
      }
      return kernel.capability('Fetch')(request, info)
    },
    ready,
    close: () => kernel.stop(),
    capability: (name) => kernel.capability(name),
  }
}

/** The default filter of a library that prints: warnings and errors only. A program logs every request. */
const QUIET = { 'logs.filter': 'warn' }

/** Provides the host's `log` as a capability, which the log feature uses. */
function hostLog(log: LogOutput): Plugin {
  return definePlugin({
    name: 'host.log',
    feature: 'host.log',
    provides: ['LogOutput'],
    setup: (ctx) => ctx.provide('LogOutput', log),
  })
}

/** The host's `log` in a profile without the log feature, which would filter and redact. */
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

/** A 503 `not_ready`. */
export function notReady(): Response {
  const { status, headers, body } = errorReply(httpFail('not_ready'))
  return new Response(body as string, { status, headers: { ...headers } })
}
