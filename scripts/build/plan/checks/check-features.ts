/** Checks the choices of a profile against the features that exist. */

import type { FeatureSet, Platform } from '../../../../core/declare/matrix.ts'
import { nearest } from '../../../../core/kernel/nearest.ts'
import { renamed } from '../../../../profiles/matrix.ts'
import type { Problem } from '../../errors.ts'
import { isInstalled, matrixCommand } from '../../paths.ts'
import type { LocatedFeature } from '../locate-feature.ts'

/** Where a feature has to be listed so that a profile can name it. */
const WHERE_LISTED = `A feature of your own also needs a line in \`own\` of the profile${isInstalled ? '' : ', a feature of this project a line in profiles/features.ts'}.`

/** The platforms in order: each has everything that the previous ones have. */
export const platforms: readonly Platform[] = ['bare', 'web', 'node']

/** Whether a platform has more than `other`. */
export function isMoreThan(one: Platform, other: Platform): boolean {
  return platforms.indexOf(one) > platforms.indexOf(other)
}

/** The smallest platform that a feature, in the chosen variant, runs on. */
export function needsOf({ platform }: Pick<LocatedFeature, 'platform'>, choice: boolean | string): Platform {
  return typeof platform === 'string' ? platform : (platform[String(choice)] ?? 'bare')
}

/** Ids of the features that a set chooses. */
export function chosen(features: FeatureSet): string[] {
  return Object.keys(features).filter((id) => features[id] !== false)
}

/** Reports all problems with the features of one target. `where` names the target in the messages. */
export function checkFeatures(
  features: FeatureSet,
  platform: Platform,
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
  where: string,
): Problem[] {
  const problems: Problem[] = []
  const has = new Set(chosen(features))
  for (const id of has) {
    const feature = knownFeatures[id]
    if (feature === undefined) {
      const near = nearest(id, Object.keys(knownFeatures))
      const hint = Object.hasOwn(renamed, id)
        ? `It is called ${renamed[id]} now.`
        : near === undefined
          ? `${matrixCommand()} lists the features. ${WHERE_LISTED}`
          : `Did you mean ${near}?`
      problems.push({ code: 'ERR_FEATURE_UNKNOWN', message: `There is no feature "${id}"${where}.`, hint })
      continue
    }
    for (const other of feature.requires ?? []) {
      if (!has.has(other)) {
        const near = nearest(other, Object.keys(knownFeatures))
        const hint =
          other in knownFeatures
            ? `Add '${other}': true, or take ${id} out.`
            : 'There is no feature of that ' +
              `name${near === undefined ? `; ${matrixCommand()} lists them` : `: did you mean ${near}?`}`
        problems.push({ code: 'ERR_FEATURE_REQUIRES', message: `${id} requires ${other}${where}.`, hint })
      }
    }
    for (const other of feature.conflicts ?? []) {
      if (has.has(other)) {
        const hint = `Take one of them out: '${other}': false.`
        problems.push({ code: 'ERR_FEATURE_CONFLICT', message: `${id} conflicts with ${other}${where}.`, hint })
      }
    }
    const choice = features[id]!
    const needs = needsOf(feature, choice)
    if (isMoreThan(needs, platform)) {
      const shown = typeof feature.platform === 'string' ? id : `${id}=${choice}`
      problems.push({
        code: 'ERR_FEATURE_PLATFORM',
        message: `${shown} runs on platform "${needs}", and the platform here is "${platform}"${where}.`,
        hint: `Take it out, put it into the features of \`main\`, or set \`platform: '${needs}'\`.`,
      })
    }
    const problem = checkVariant(id, choice, feature)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

/**
 * Paths that are compared byte by byte. Each has only one spelling, and no part that another parser could read
 * differently.
 */
const EXACT_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/** Checks that open paths are exact, and that no two features open the same path. */
export function checkOpen(knownFeatures: Readonly<Record<string, LocatedFeature>>): Problem[] {
  const owners = new Map<string, string>()
  return Object.entries(knownFeatures).flatMap(([id, { open = [] }]) =>
    open.flatMap((path): Problem[] => {
      const other = owners.get(path)
      owners.set(path, id)
      const hint = 'An open path is exact, such as /edge/status, and belongs to one feature.'
      if (other !== undefined) {
        return [{ code: 'ERR_PROFILE_INVALID', message: `Both ${other} and ${id} open the path ${path}.`, hint }]
      }
      if (EXACT_PATH.test(path)) return []
      return [{ code: 'ERR_PROFILE_INVALID', message: `${id} opens "${path}", which is no exact path.`, hint }]
    }),
  )
}

/** Checks that exactly one feature of a program has a `main` module. */
export function checkMain(features: FeatureSet, knownFeatures: Readonly<Record<string, LocatedFeature>>): Problem[] {
  const withMain = Object.keys(knownFeatures).filter((id) => knownFeatures[id]!.main !== undefined)
  const mains = chosen(features).filter((id) => withMain.includes(id))
  if (mains.length === 1) return []
  if (mains.length === 0) {
    const hint = `Add '${withMain[0]}': true to the features of \`main\`.`
    return [{ code: 'ERR_FEATURE_REQUIRES', message: 'No feature of the program has a main module (main).', hint }]
  }
  const hint = `Take one of them out: '${mains[0]}': false.`
  return [{ code: 'ERR_FEATURE_CONFLICT', message: `${mains.join(' and ')} both have a main module (main).`, hint }]
}

function checkVariant(id: string, choice: boolean | string, { plugin }: LocatedFeature): Problem | undefined {
  const variants = typeof plugin === 'object' ? Object.keys(plugin) : []
  if (typeof choice === 'string' ? variants.includes(choice) : variants.length === 0) return undefined
  const message =
    typeof choice === 'string' ? `${id} has no variant "${choice}".` : `${id} comes in variants, and none is chosen.`
  const first = (typeof choice === 'string' ? nearest(choice, variants) : undefined) ?? variants[0]
  const hint =
    first === undefined ? `Write '${id}': true.` : `Its variants are ${variants.join(', ')}: write '${id}': '${first}'.`
  return { code: 'ERR_FEATURE_VARIANT', message, hint }
}

/**
 * Removes problems of the program that are already reported for the library, because the program contains the library's
 * features.
 */
export function dedupe(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ code, message }) => {
    const key = `${code} ${message.replace(/ \((library|main)\)\./, '.')}`
    return !seen.has(key) && seen.add(key)
  })
}
