/** Checks that the modules of features export what the matrix declares. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from '../../../../core/plugin.ts'
import type { Problem } from '../../errors.ts'
import { explainLoad } from '../../modules/explain-load.ts'
import { nearbyFile } from '../../modules/nearby-file.ts'
import { readModule } from '../../modules/read-module.ts'
import { root, shown } from '../../paths.ts'
import type { LocatedFeature } from '../locate-feature.ts'
import { unknownMembers } from './check-members.ts'

/** Checks that every module of the features exports the declared names; `base` is the folder of the profile. */
export async function checkModules(known: Readonly<Record<string, LocatedFeature>>, base: string): Promise<Problem[]> {
  const found = await Promise.all(
    Object.entries(known).map(async ([id, { value, plugin, commands, storePart, exports = {}, main, operations }]) => {
      const plugins = plugin === undefined ? [] : typeof plugin === 'string' ? [plugin] : Object.values(plugin)
      // A feature that is one value has been loaded. The modules of its variants have not.
      const ofValue =
        typeof plugin === 'object' ? plugins.map((module) => checkExport(id, module, 'variant', base)) : []
      return Promise.all([
        ...(value === undefined ? plugins.map((module) => checkPlugin(id, module, base)) : ofValue),
        ...(commands === undefined ? [] : [checkExport(id, commands, 'commands', base)]),
        ...(storePart === undefined ? [] : [checkExport(id, storePart, 'storePart', base)]),
        ...Object.entries(exports).map(([name, module]) => checkExport(id, module, name, base)),
        ...(operations === undefined ? [] : [checkExport(id, operations, 'operations', base)]),
        ...(main === undefined ? [] : [checkExport(id, main, 'main', base)]),
      ])
    }),
  )
  return found.flat().flatMap((problem) => problem ?? [])
}

async function checkPlugin(id: string, path: string, base: string): Promise<Problem | undefined> {
  const wrong = await checkExport(id, path, 'plugin', base)
  if (wrong !== undefined) return wrong
  const { plugin } = (await readModule(resolve(root, path))) as { plugin: Plugin }
  const [unknown] = unknownMembers('plugin', plugin)
  if (unknown !== undefined) return { code: 'ERR_FEATURE_MODULE', message: `${id}: ${shown(path, base)}: ${unknown}` }
  if (plugin.feature === id && typeof plugin.setup === 'function') return undefined
  const message = `${shown(path, base)} implements "${plugin.feature}", and the matrix names it for ${id}.`
  return { code: 'ERR_FEATURE_MODULE', message, hint: `Write feature: '${id}' in its definePlugin.` }
}

async function checkExport(id: string, path: string, name: string, base: string): Promise<Problem | undefined> {
  const module = resolve(root, path)
  const file = shown(module, base)
  if (!existsSync(module)) {
    const near = nearbyFile(module)
    const message = `${id}: there is no file ${file}.`
    return {
      code: 'ERR_FEATURE_MODULE',
      message,
      ...(near !== undefined && { hint: `Did you mean ${shown(near, base)}?` }),
    }
  }
  try {
    const names = await readModule(module)
    if (names[name] !== undefined) return undefined
  } catch (error) {
    const { why, ...hint } = await explainLoad(module, error, base)
    return { code: 'ERR_FEATURE_MODULE', message: `${id}: ${file} cannot be loaded: ${why}`, ...hint }
  }
  const hint = name === 'plugin' ? 'Write: export const plugin = definePlugin({ … })' : `Export \`${name}\` from it.`
  return { code: 'ERR_FEATURE_MODULE', message: `${id}: ${file} exports no \`${name}\`.`, hint }
}
