/**
 * Checks the files that features declare as their own. The proof relies on these declarations: a bundle may contain
 * each file that a present feature owns. So a feature must not declare files of another owner.
 */
import { join, resolve, sep } from 'node:path'
import type { Problem } from '../../errors.ts'
import { root, shown } from '../../paths.ts'
import { ownership } from '../../prove/attribute.ts'
import type { LoadedProfile } from '../load-profile.ts'
import { type LocatedFeature, modulesOf } from '../locate-feature.ts'

type Features = Readonly<Record<string, LocatedFeature>>

/** Reports all problems with the declared files of the features that exist for a profile. */
export function checkOwnership(
  profile: Pick<LoadedProfile, 'ownFeatures' | 'homes' | 'base'>,
  knownFeatures: Features,
): Problem[] {
  const ownFeatures = Object.entries(profile.ownFeatures)
  return [
    ...ownFeatures.flatMap(([id, feature]) => checkNames(id, feature)),
    ...ownFeatures.flatMap(([id, feature]) => checkHome(id, feature, profile.homes[id]!, profile.base)),
    ...Object.entries(knownFeatures).flatMap(([id, feature]) => checkCode(id, feature)),
    ...checkOverlap(knownFeatures, profile.base),
    ...checkAssets(knownFeatures),
  ]
}

const fail = (message: string, hint: string): Problem => ({ code: 'ERR_PROFILE_OWNERSHIP', message, hint })

/** Checks names, because they are written into generated code, and assets into the delivered folder. */
function checkNames(id: string, { exports = {}, plugin, externals = [] }: LocatedFeature): Problem[] {
  const variants = typeof plugin === 'object' ? Object.keys(plugin) : []
  const wrong = [
    ...[id, ...variants].filter((name) => !/^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/.test(name)),
    ...Object.keys(exports).filter((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)),
  ]
  const files = externals.filter((name) => !/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/.test(name))
  return [
    ...wrong.map((name) =>
      fail(
        `${JSON.stringify(name)} cannot be a name of ${JSON.stringify(id)} or in it.`,
        'Ids and variants are of lower-case words with dots and hyphens between; exports are identifiers.',
      ),
    ),
    // The proof does not read files outside the bundle.
    ...files.map((name) =>
      fail(`${JSON.stringify(name)} of ${id} cannot stay outside of the bundle.`, '`externals` are packages by name.'),
    ),
  ]
}

/**
 * Checks that the files of a user's feature are in the folder of its profile. Its modules can come from packages, and
 * the row that declares them can then be in the same package.
 */
function checkHome(id: string, feature: LocatedFeature, home: string, base: string): Problem[] {
  const { folder, owns = [], assets = {}, binaries = {} } = feature
  const modules = modulesOf(feature)
  const rows = folder === undefined ? [] : [folder]
  const files = [...Object.values(assets), ...Object.values(binaries).flatMap((binary) => Object.values(binary.files))]
  const outside = (path: string): boolean => !isInside(home, path) || oursOnly.some((folder) => isInside(folder, path))
  const inPackage = (path: string): boolean => path.split(sep).includes('node_modules')
  return [
    ...owns.filter((path) => outside(path) || inPackage(path)),
    ...rows.filter((row) => (inPackage(row) ? !modules.some((module) => isInside(row, module)) : outside(row))),
    ...[...modules, ...files].filter((path) => outside(path) && !inPackage(path)),
  ].map((path) =>
    fail(
      `${id} claims ${shown(path, base)}, which is not in the folder of its profile.`,
      'Keep the code of your own features beside your profile; packages go into `packages`.',
    ),
  )
}

/** Files that no feature of a user may own, even if a profile is at the root of this project. */
const oursOnly = ['core', 'plugins', 'profiles', 'scripts', 'openapi.json'].map((name) => join(root, name))

/** Checks that a feature names code; otherwise a present feature could not be distinguished from a missing one. */
function checkCode(id: string, { declaration, owns = [], ...feature }: LocatedFeature): Problem[] {
  const code = modulesOf({ ...feature, declaration }).slice(1)
  return code.length + owns.length > 0
    ? []
    : [fail(`${id} names no code.`, 'Give it a `setup`, `routes`, `code`, `commands`, `exports`, `main` or `owns`.')]
}

/** Checks that no file has two owners; otherwise the presence of one feature would permit the files of the other. */
function checkOverlap(knownFeatures: Features, base: string): Problem[] {
  const claims = ownership(knownFeatures).map(({ prefix, owner }) => ({
    prefix,
    id: owner.replace(/^\w+:|=.*$/g, ''),
    folder: `${keyOf(prefix)}${sep}`,
  }))
  const problems = new Map<string, Problem>()
  for (const one of claims) {
    for (const other of claims) {
      if (one.id === other.id || !one.folder.startsWith(other.folder)) continue
      // What is installed below a folder is not part of it, such as this toolkit beside a profile.
      if (one.folder.slice(other.folder.length).includes(`node_modules${sep}`)) continue
      const message = `${one.id} and ${other.id} both claim ${shown(one.prefix, base)}.`
      problems.set(
        [one.id, other.id].sort().join(' '),
        fail(
          message,
          `A feature owns all that is below the folder of its module. Give ${one.id} and ${other.id} folders beside each other, or say which files are its own with \`owns\`.`,
        ),
      )
    }
  }
  return [...problems.values()]
}

const delivered = new Set(['index.mjs', 'svc.mjs', 'svc', 'svc.exe', 'manifest.json', 'proof.json', 'account.json'])

/** Checks asset names. Assets are delivered beside the bundle, and each name belongs to one feature. */
function checkAssets(knownFeatures: Features): Problem[] {
  const owners = new Map<string, string>()
  return Object.entries(knownFeatures).flatMap(([id, { assets = {} }]) =>
    Object.keys(assets).flatMap((name) => {
      const key = name.toLowerCase()
      const taken = owners.get(key) ?? (delivered.has(key) ? 'the build itself' : undefined)
      owners.set(key, id)
      if (taken !== undefined)
        return fail(`The asset ${name} of ${id} has the name of one of ${taken}.`, 'Name it after the feature.')
      if (/^[A-Za-z0-9][\w.-]*$/.test(name)) return []
      return fail(`${id}: ${JSON.stringify(name)} is no name for an asset.`, 'Use letters, digits, dots and hyphens.')
    }),
  )
}

function isInside(folder: string, path: string): boolean {
  return `${keyOf(path)}${sep}`.startsWith(`${keyOf(folder)}${sep}`)
}

/** A path in lower case, because many file systems ignore case. */
function keyOf(path: string): string {
  return resolve(path).toLowerCase()
}
