/** Checks that the modules of features export what the matrix declares. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from '../../errors.ts'
import { nearbyFile } from '../../modules/explain-import.ts'
import { explainLoad } from '../../modules/explain-load.ts'
import { readModule } from '../../modules/read-module.ts'
import { root, shown } from '../../paths.ts'
import type { LocatedFeature } from '../locate-feature.ts'

/** Checks that every module of the features exports the declared names; `base` is the folder of the profile. */
export async function checkModules(
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
  base: string,
): Promise<Problem[]> {
  const problems = await Promise.all(
    Object.entries(knownFeatures).map(async ([id, { plugin, commands, storePart, exports = {}, main }]) => {
      // The feature itself has been loaded. The modules of its variants have not.
      const variants = typeof plugin === 'object' ? Object.values(plugin) : []
      return Promise.all([
        ...variants.map((module) => checkExport(id, module, 'variant', base)),
        ...(commands === undefined ? [] : [checkExport(id, commands, 'commands', base)]),
        ...(storePart === undefined ? [] : [checkExport(id, storePart, 'storePart', base)]),
        ...Object.entries(exports).map(([name, module]) => checkExport(id, module, name, base)),
        ...(main === undefined ? [] : [checkExport(id, main, 'main', base)]),
      ])
    }),
  )
  return problems.flat().flatMap((problem) => problem ?? [])
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
  return {
    code: 'ERR_FEATURE_MODULE',
    message: `${id}: ${file} exports no \`${name}\`.`,
    hint: `Export \`${name}\` from it.`,
  }
}
