/** The settings of a set of plugins, together with those of the kernel. */
import { kernelFail } from '../catalogue.ts'
import { ownSettings } from '../context.ts'
import { documented } from '../documented.ts'
import { routeId } from '../http/route.ts'
import type { Registry } from '../manifest.ts'
import type { Plugin } from '../plugin.ts'
import { type ResolvedSettings, resolveSettings, type SettingsCheck, type SettingsSources } from './resolve.ts'
import { serverSettings } from './server.ts'
import { nearest } from './suggest.ts'

/**
 * The settings of a registry from their sources, with everything that its plugins find wrong with them.
 * @throws SvcError `ERR_SETTINGS_INVALID`, `ERR_SETTING_TWICE`
 */
export function readSettings(registry: Registry<Plugin>, sources?: SettingsSources): ResolvedSettings {
  const checks = registry.plugins.flatMap((plugin): SettingsCheck[] => {
    const { checkSettings } = plugin
    return checkSettings === undefined ? [] : [(all) => checkSettings(ownSettings(plugin, all), all)]
  })
  return resolveSettings(settingsTable(registry.plugins), sources, registry.absent.settings, checks)
}

/**
 * Every setting of a set of plugins, the kernel's own included.
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

/**
 * That each route limits its body by a number: any other limit would let every size pass.
 * @throws SvcError `ERR_ROUTE_LIMIT`
 */
export function checkLimits(plugins: readonly Plugin[], values: Readonly<Record<string, unknown>>): void {
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
