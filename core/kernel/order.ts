/** The order of plugins. It follows from what they require and provide. */

import { documented } from '../declare/described.ts'
import { whoHas } from '../declare/manifest.ts'
import type { CapabilityName, Plugin } from '../declare/plugin.ts'
import { kernelFail } from './catalogue.ts'

/** A plugin with the plugins that must be set up before it. */
export interface Ordered {
  readonly plugin: Plugin
  readonly after: readonly Plugin[]
}

/**
 * Sorts plugins so that providers come before users. The log comes as early as possible; otherwise the given order
 * stays.
 * @throws SvcError `ERR_PLUGIN_DUPLICATE`, `ERR_CAPABILITY_TWICE`, `ERR_CAPABILITY_MISSING`, `ERR_PLUGIN_CYCLE`
 */
export function orderPlugins(
  plugins: readonly Plugin[],
  absent: Readonly<Record<string, readonly string[]>> = {},
): Ordered[] {
  const providers = indexProviders(plugins)
  const after = new Map<Plugin, Plugin[]>()
  for (const plugin of plugins) {
    const needed: Plugin[] = []
    for (const name of plugin.requires ?? []) {
      const provider = providers.get(name)
      if (provider === undefined) throw missing(plugin, name, absent[name])
      needed.push(provider)
    }
    for (const name of plugin.requiresLater ?? []) if (!providers.has(name)) throw missing(plugin, name, absent[name])
    // The provider of `MetricSink` comes before every plugin with metrics.
    const sink: readonly CapabilityName[] = plugin.metrics === undefined ? [] : ['MetricSink']
    for (const name of [...(plugin.wants ?? []), ...sink]) {
      const provider = providers.get(name)
      if (provider !== undefined && provider !== plugin) needed.push(provider)
    }
    after.set(plugin, needed)
  }

  const ordered: Ordered[] = []
  const done = new Set<Plugin>()
  const path: Plugin[] = []
  const visit = (plugin: Plugin): void => {
    if (done.has(plugin)) return
    const start = path.indexOf(plugin)
    if (start >= 0) throw cycle([...path.slice(start), plugin])
    path.push(plugin)
    const needed = after.get(plugin)!
    for (const other of needed) visit(other)
    path.pop()
    done.add(plugin)
    ordered.push({ plugin, after: needed })
  }
  // The log is set up as early as its requirements allow, and so it is stopped last, after everything that logs.
  const isLog = ({ provides = [] }: Plugin): boolean => provides.includes('LogSink')
  for (const plugin of plugins) if (isLog(plugin)) visit(plugin)
  for (const plugin of plugins) visit(plugin)
  return ordered
}

function indexProviders(plugins: readonly Plugin[]): Map<CapabilityName, Plugin> {
  const names = new Set<string>()
  const providers = new Map<CapabilityName, Plugin>()
  for (const plugin of plugins) {
    if (names.has(plugin.name)) {
      throw kernelFail('ERR_PLUGIN_DUPLICATE', { message: `Two plugins are named "${plugin.name}".` })
    }
    names.add(plugin.name)
    for (const name of plugin.provides ?? []) {
      const other = providers.get(name)
      if (other !== undefined) {
        throw kernelFail('ERR_CAPABILITY_TWICE', {
          message: `Both "${other.name}" and "${plugin.name}" provide ${name}.`,
          hint: documented('Leave one of their features out of the profile.'),
        })
      }
      providers.set(name, plugin)
    }
  }
  return providers
}

function missing(plugin: Plugin, name: string, profiles: readonly string[] | undefined): Error {
  return kernelFail('ERR_CAPABILITY_MISSING', {
    message: `"${plugin.name}" requires ${name}, and no plugin of this profile provides it.`,
    hint: `Add the feature that provides it. ${whoHas(profiles)}`,
  })
}

function cycle(path: readonly Plugin[]): Error {
  return kernelFail('ERR_PLUGIN_CYCLE', {
    message: `Plugins require each other in a circle: ${path.map((plugin) => plugin.name).join(' → ')}.`,
    hint: documented(
      'Let one of them provide a capability of its own that the other requires, or name it in `requiresLater` and use it only after the start.',
    ),
  })
}
