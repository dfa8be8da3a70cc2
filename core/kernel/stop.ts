/**
 * Stops a kernel. A stop waits, in this order, for: `server.drain_delay_ms` with open listeners if the kernel was
 * ready, a running start, the drains of all plugins at once for at most `server.shutdown_grace_ms`, the stop hooks one
 * by one, and the log. Each stop hook, and the log, has the time limit of a phase. The `onStopping` hooks of all
 * plugins that are set up run first, and the stop does not wait for them. The plugin that registers a drain decides
 * what the drain waits for.
 */

import type { Plugin } from '../declare/plugin.ts'
import type { KernelParts } from './compose.ts'
import type { PluginHooks } from './context.ts'
import { timeout, withDeadline } from './phase.ts'

declare const __PROGRAM__: boolean

/** The kernel that is stopped. */
export interface Stopping {
  /** Hooks of the plugins that were set up, in dependency order. A running start may add to the list. */
  readonly states: readonly PluginHooks[]
  /** Whether the kernel was ready, so that there may be clients to drain. */
  readonly served: boolean
  /** The start. Set-ups that have begun run to their end; after them a start ends before its next hook. */
  readonly start: Promise<void> | undefined
  /** The reason of the stop, for the last line of the log. */
  readonly reason: string | undefined
}

/** Drains and stops the plugins. Never rejects: failures are logged. */
export async function stopAll(parts: KernelParts, { states, served, start, reason }: Stopping): Promise<void> {
  const { environment, hub, phaseTimeoutMs, settings } = parts
  for (const { plugin, onStopping } of states) for (const hook of onStopping) void tryStop(parts, plugin, hook)
  const delayMs = settings.values['server.drain_delay_ms'] as number
  if (served && delayMs > 0) await new Promise<void>((over) => environment.clock.setTimeout(over, delayMs))
  // Each step of the start has a deadline.
  await start?.catch(() => undefined)
  parts.attachLog()
  await drainAll(parts, states)
  for (const { plugin, onStop } of [...states].reverse()) {
    for (const hook of [...onStop].reverse()) await tryStop(parts, plugin, hook)
  }
  // A library gets no signals, so it has no reason to log.
  if ((typeof __PROGRAM__ === 'undefined' || __PROGRAM__) && reason !== undefined)
    hub.logger('svc').info('Stopped.', { reason })
  // If the log cannot be written, nothing is left to report it to, and the stop still ends.
  const late = (): Error => new Error('The log was not flushed in time.')
  await withDeadline(environment.clock, phaseTimeoutMs, () => hub.flush(), late).catch(() => undefined)
}

/** Runs all drain hooks at once, each within the grace time. */
async function drainAll({ environment, log, settings }: KernelParts, states: readonly PluginHooks[]): Promise<void> {
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
}

function tryStop({ run, log }: KernelParts, plugin: Plugin, hook: () => unknown): Promise<void> {
  return run('stop', plugin, hook).catch((error: unknown) =>
    log.error('A plugin did not stop.', { plugin: plugin.name, error }),
  )
}
