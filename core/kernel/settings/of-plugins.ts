/** The settings of a set of plugins, together with those of the kernel. */

import { documented } from '../../declare/described.ts'
import type { Registry } from '../../declare/manifest.ts'
import type { Plugin } from '../../declare/plugin.ts'
import { kernelFail } from '../catalogue.ts'
import { ownSettings } from '../context.ts'
import { type ResolvedSettings, resolveSettings, type SettingsCheck, type SettingsSources } from './resolve.ts'
import { serverSettings } from './server.ts'

/**
 * Reads the settings of a registry from their sources, and runs the checks of its plugins.
 * @throws SvcError `ERR_SETTINGS_INVALID`, `ERR_SETTING_TWICE`
 */
export function readSettings(registry: Registry<Plugin>, sources?: SettingsSources): ResolvedSettings {
  const checks = settingsChecks(registry.plugins)
  return resolveSettings(settingsTable(registry.plugins), sources, registry.absent.settings, checks)
}

/** The checks of settings of all plugins. */
export function settingsChecks(plugins: readonly Plugin[]): readonly SettingsCheck[] {
  return plugins.flatMap((plugin): SettingsCheck[] => {
    const { checkSettings } = plugin
    return checkSettings === undefined ? [] : [(all) => checkSettings(ownSettings(plugin, all), all)]
  })
}

/**
 * All settings of a set of plugins and of the kernel.
 * @throws SvcError `ERR_SETTING_TWICE`
 */
export function settingsTable(plugins: readonly Plugin[]): Record<string, NonNullable<Plugin['settings']>[string]> {
  const table: Record<string, NonNullable<Plugin['settings']>[string]> = { ...serverSettings }
  for (const plugin of plugins) {
    for (const [key, setting] of Object.entries(plugin.settings ?? {})) {
      if (Object.hasOwn(table, key) && table[key] !== setting) {
        throw kernelFail('ERR_SETTING_TWICE', {
          message: `"${plugin.name}" declares ${key}, which another plugin declares too.`,
          hint: documented('Share one declaration, or rename one of them.'),
        })
      }
      table[key] = setting
    }
  }
  return table
}
