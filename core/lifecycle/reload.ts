/** Reads the settings of a running kernel again, and applies those that can change without a restart. */
import { kernelFail } from '../catalogue.ts'
import { ownSettings, type PluginHooks } from '../composition/context.ts'
import { readSettings, settingsChecks, settingsTable } from '../settings/of-plugins.ts'
import type { SettingsSources } from '../settings/resolve.ts'
import { Secret } from '../settings/secret.ts'
import type { KernelParts } from './compose-kernel.ts'

/** The changes of a reload. */
export interface Reloaded {
  /** The values after the reload, by key. */
  readonly values: Readonly<Record<string, unknown>>
  /** Keys whose new values are in use, sorted. */
  readonly changed: readonly string[]
  /** Keys whose new values need a restart, sorted. */
  readonly restart: readonly string[]
}

/**
 * Validates all values of the sources, then gives the plugins the new values of the settings that declare `reload`. The others
 * keep the value of `current`.
 * @throws SvcError `ERR_SETTINGS_INVALID`, and then nothing has changed
 */
export function reloadSettings(
  { registry }: KernelParts,
  states: readonly PluginHooks[],
  current: Readonly<Record<string, unknown>>,
  sources: SettingsSources,
): Reloaded {
  const table = settingsTable(registry.plugins)
  const wanted = readSettings(registry, sources).values
  const differing = Object.keys(table).filter((key) => !isSame(current[key], wanted[key]))
  const changed = differing.filter((key) => table[key]!.reload === true).sort()
  const restart = differing.filter((key) => table[key]!.reload !== true).sort()
  const values = { ...current, ...Object.fromEntries(changed.map((key) => [key, wanted[key]])) }
  if (changed.length > 0 && restart.length > 0) checkMixture(registry.plugins, values, restart)
  for (const { plugin, onReload } of states) for (const run of onReload) run(ownSettings(plugin, values))
  return { values, changed, restart }
}

/** Refuses new values that are invalid together with the old values of `restart`. */
function checkMixture(
  plugins: KernelParts['registry']['plugins'],
  values: Readonly<Record<string, unknown>>,
  restart: readonly string[],
): void {
  const refusals = settingsChecks(plugins).flatMap((check) => check(values))
  if (refusals.length === 0) return
  const reasons = refusals.map(({ key, message }) => `  ${key}: ${message}`)
  throw kernelFail('ERR_SETTINGS_INVALID', {
    message: `The new settings need a restart, since ${restart.join(', ')} cannot change before:\n${reasons.join('\n')}`,
  })
}

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Secret && other instanceof Secret) return one.reveal() === other.reveal()
  return JSON.stringify(one) === JSON.stringify(other)
}
