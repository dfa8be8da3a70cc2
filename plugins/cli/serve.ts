/** Runs the service until a signal or a failure stops it. */
import { isSvcError } from '../../core/declare/errors.ts'
import { type Manifest, type Registry, whoHas } from '../../core/declare/manifest.ts'
import type { Plugin } from '../../core/declare/plugin.ts'
import { kernelFail } from '../../core/kernel/catalogue.ts'
import { type Clock, systemClock } from '../../core/kernel/environment.ts'
import { createKernel, type Kernel } from '../../core/kernel/kernel.ts'
import type { LogSink } from '../../core/kernel/log.ts'
import type { SettingsSources } from '../../core/kernel/settings/resolve.ts'
import { misspelt } from './environment.ts'
import { reloadOnHangup } from './reload.ts'

/**
 * Starts the service, and resolves with the exit code once the service has stopped: 0 after a signal, even during the
 * start, 1 after an unhandled error. A second signal ends the process at once. SIGHUP reads the settings again. @throws
 * SvcError the error that stopped the start
 */
export async function serve(registry: Registry<Plugin, Manifest>, readSources: () => SettingsSources): Promise<number> {
  // The service goes on when the reader of its output closes the pipe.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const settings = readSources()
  const kernel = createKernel(registry, { settings, fallbackLog: plainSink, environment: { clock: nodeClock } })
  const elsewhere = registry.absent.settings['sync.socket_path']
  if (kernel.setting('server.mode') === 'sync' && elsewhere !== undefined) {
    throw kernelFail('ERR_SETTINGS_INVALID', {
      message: `Profile ${registry.manifest.profile} has no local sync API, so server.mode sync (--mode sync) would serve nothing.`,
      hint: whoHas(elsewhere),
    })
  }
  for (const [name, meant] of misspelt(settings.environment ?? {}, registry.manifest.settings)) {
    kernel.log.warn(`${name}: no such setting; did you mean ${meant}?`)
  }
  const stop = stopOnSignals(kernel)
  const reloadMissed = reloadOnHangup({ kernel, readSources, stop: () => stop.ask('SIGHUP', 0) })
  // Timers of the service do not keep the process alive, and a start may wait for a timer before a listener is open.
  const awake = setInterval(() => undefined, 60_000)
  try {
    await kernel.start()
    reloadMissed()
  } catch (error) {
    // A signal during the start is a successful stop.
    if (!stop.asked || !isSvcError(error, 'ERR_KERNEL_STATE')) throw error
  } finally {
    clearInterval(awake)
  }
  if (typeof svcStarted !== 'undefined') svcStarted()
  return stop.code
}

/** Signals to the boot code of an executable that the start is over. */
declare const svcStarted: (() => void) | undefined

/** How long a stopped process waits for open handles before it exits, in milliseconds. */
const LINGER_MS = 500

interface Stop {
  /** Begins the stop; a second call ends the process at once. */
  ask(reason: string, code: number): void
  /** Whether the stop has begun. */
  readonly asked: boolean
  /** Resolves with the exit code once the stop is complete. */
  readonly code: Promise<number>
}

function stopOnSignals(kernel: Kernel): Stop {
  let asked = false
  let resolve: (code: number) => void = () => undefined
  const code = new Promise<number>((done) => (resolve = done))
  const ask = (reason: string, code: number): void => {
    if (asked) process.exit(1)
    asked = true
    kernel.log.info('Stopping.', { reason })
    void kernel.stop(reason).then(() => {
      resolve(code)
      // The process ends unless something keeps it alive, such as a full pipe without a reader.
      setTimeout(() => process.exit(code), LINGER_MS).unref()
    })
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ask(signal, 0))
  const crash = (error: unknown): void => {
    kernel.log.error('An error that nothing handled; stopping.', { error })
    ask('error', 1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  return {
    ask,
    get asked() {
      return asked
    },
    code,
  }
}

/** The log of profiles without a log feature: information, warnings and errors, one JSON line each. */
const plainSink: LogSink = {
  enabled: (level) => level === 'info' || level === 'warn' || level === 'error',
  write: ({ timeMs, level, target, message, fields }) => {
    const said = fields?.['error'] instanceof Error ? { ...fields, error: fields['error'].message } : fields
    const line = { timestamp: new Date(timeMs).toISOString(), level: level.toUpperCase(), target, message, ...said }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  },
}

/** Read once, because `process` is a getter of the global object, which every request would call twice. */
const { hrtime } = process

/**
 * The clock of the machine, by `process.hrtime`. A call costs the same as with `performance`, whose first use makes a
 * start more than half a millisecond longer.
 */
const nodeClock: Clock = {
  ...systemClock,
  monotonic: () => {
    // Array destructuring uses the iterator protocol, which is slow for code that runs in each request.
    const time = hrtime()
    return time[0] * 1e3 + time[1] / 1e6
  },
}
