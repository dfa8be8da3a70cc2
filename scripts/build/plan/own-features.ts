/** Reads the features that a profile names by their modules: each module exports one as `feature`. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { openPathsOf } from '../../../core/declare/feature.ts'
import type { Profile } from '../../../core/declare/matrix.ts'
import type { Problem } from '../errors.ts'
import { nearbyFile } from '../modules/explain-import.ts'
import { explainLoad } from '../modules/explain-load.ts'
import type { ReadModule } from '../modules/read-module.ts'
import { shown } from '../paths.ts'
import { unknownMembers } from './checks/check-members.ts'
import { type LocatedFeature, locateFeature, moduleOf, modulesOf, type ReadFeature } from './locate-feature.ts'

/** The own features of a profile, and what is wrong with those that could not be read. */
export interface OwnFeatures {
  readonly features: Readonly<Record<string, LocatedFeature>>
  readonly problems: readonly Problem[]
}

/** Reads the own features of a profile in the folder `base`. */
export async function readOwnFeatures(
  modules: NonNullable<Profile['own']>,
  base: string,
  read: ReadModule,
): Promise<OwnFeatures> {
  const rows = await Promise.all(
    Object.entries(modules).map(async ([id, feature]) => {
      const file = moduleOf(feature, base)
      const value = await readFeature(id, file, base, read)
      return 'code' in value ? { id, problem: value } : { id, located: locateValue(value, file) }
    }),
  )
  return {
    features: Object.fromEntries(rows.flatMap(({ id, located }) => (located === undefined ? [] : [[id, located]]))),
    problems: rows.flatMap(({ problem }) => problem ?? []),
  }
}

/** Locates a feature by its module. Its paths are relative to the module. */
function locateValue(value: ReadFeature, file: string): LocatedFeature {
  const { at: _, ...about } = value.about!
  const open = openPathsOf(value)
  return locateFeature({ ...about, ...(open.length > 0 && { open }), value }, file)
}

/**
 * The features, with a folder for each: the folder of its module, if no other feature has a module in it. Beside
 * another feature it is its module alone.
 */
export function withFolders(features: Readonly<Record<string, LocatedFeature>>): Record<string, LocatedFeature> {
  const rows = Object.entries(features)
  return Object.fromEntries(
    rows.map(([id, feature]) => {
      const { declaration } = feature
      const folder = dirname(declaration)
      const others = rows.flatMap(([other, one]) => (other === id ? [] : modulesOf(one)))
      const { folder: _, ...file } = feature
      return [id, others.some((module) => module.startsWith(`${folder}/`)) ? file : { ...feature, folder }]
    }),
  )
}

async function readFeature(id: string, file: string, base: string, read: ReadModule): Promise<ReadFeature | Problem> {
  const name = shown(file, base)
  const fail = (message: string, hint?: string): Problem => ({
    code: 'ERR_FEATURE_MODULE',
    message: `${id}: ${message}`,
    ...(hint !== undefined && { hint }),
  })
  if (!existsSync(file)) {
    const near = nearbyFile(file)
    return fail(`there is no file ${name}.`, near === undefined ? undefined : `Did you mean ${shown(near, base)}?`)
  }
  let value: unknown
  try {
    value = (await read(file))['feature']
  } catch (error) {
    const { why, hint } = await explainLoad(file, error, base)
    return fail(`${name} cannot be loaded: ${why}`, hint)
  }
  if (typeof value !== 'object' || value === null || !('made' in value))
    return fail(`${name} exports no \`feature\`.`, `Write: export const feature = defineFeature({ id: '${id}', … })`)
  const feature = value as ReadFeature
  if (feature.feature !== id)
    return fail(
      `${name} defines "${feature.feature}", and the profile names it for ${id}.`,
      `Write id: '${id}' in its defineFeature, or '${feature.name}' in \`own\` and in the features.`,
    )
  if (feature.about === undefined)
    return fail(`${name} has no \`about\`.`, 'Write: about: described({ summary: …, stability: …, … })')
  const [unknown] = [...unknownMembers('value', feature), ...unknownMembers('about', feature.about)]
  return unknown === undefined ? feature : fail(`${name}: ${unknown}`)
}
