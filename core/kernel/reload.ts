/** Reads the settings of a running kernel again, and applies those that can change without a restart. */

import { Secret } from '../declare/secret.ts'
import { kernelFail } from './catalogue.ts'
import type { KernelParts } from './compose.ts'
import { ownSettings, type PluginHooks } from './context.ts'
import { readSettings, settingsChecks, settingsTable } from './settings/of-plugins.ts'
import type { ResolvedSettings, SettingsSources } from './settings/resolve.ts'
import { isObject } from './values.ts'

/** The changes of a reload. */
export interface Reloaded {
  /** The values after the reload, by key. */
  readonly values: Readonly<Record<string, unknown>>
  /** The sources of the values after the reload, by key. */
  readonly sourceNames: ReadonlyMap<string, string>
  /** Keys whose new values are in use, sorted. */
  readonly changed: readonly string[]
  /** Keys whose new values need a restart, sorted. */
  readonly restart: readonly string[]
}

/**
 * Validates all values of the sources, then gives the plugins the new values of the settings that declare `reload`. The
 * others keep the value of `current`.
 * @throws SvcError `ERR_SETTINGS_INVALID`, and then nothing has changed
 */
export function reloadSettings(
  { registry, settings }: KernelParts,
  states: readonly PluginHooks[],
  { values: current, sourceNames: before }: Pick<ResolvedSettings, 'values' | 'sourceNames'>,
  sources: SettingsSources,
): Reloaded {
  const table = settingsTable(registry.plugins)
  const { values: wanted, files, sourceNames: sourcesNow } = readSettings(registry, sources)
  const differing = Object.keys(table).filter((key) => !isSame(current[key], wanted[key]))
  const isReloaded = (key: string): boolean => {
    const { reload } = table[key]!
    // A new path, or a new value that is in the configuration itself, needs a restart.
    return reload === true || (reload === 'contents' && files.has(key) && files.get(key) === settings.files.get(key))
  }
  const changed = differing.filter(isReloaded).sort()
  const restart = differing.filter((key) => !isReloaded(key)).sort()
  const values = { ...current, ...Object.fromEntries(changed.map((key) => [key, wanted[key]])) }
  if (changed.length > 0 && restart.length > 0) checkMixture(registry.plugins, values, restart)
  for (const { plugin, onReload } of states) for (const run of onReload) run(ownSettings(plugin, values))
  // A setting that needs a restart keeps its source with its value.
  const oldNames = restart.flatMap((key) => (before.has(key) ? [[key, before.get(key)!] as const] : []))
  const sourceNames = new Map([...[...sourcesNow].filter(([key]) => !restart.includes(key)), ...oldNames])
  return { values, sourceNames, changed, restart }
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
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one)
    return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]))
  }
  return one === other
}
