/** Finds a profile by name or by path, and merges the profiles that it extends. */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { FeatureSet, Profile, TargetSpec } from '../../../core/feature.ts'
import type { Stability } from '../../../core/manifest.ts'
import { nearest } from '../../../core/settings/suggest.ts'
import { buildFail, throwAll } from '../errors.ts'
import { explainLoad } from '../modules/explain-load.ts'
import { nearbyFile } from '../modules/nearby-file.ts'
import { type ReadModule, readModule } from '../modules/read-module.ts'
import { root } from '../paths.ts'
import { unknownMembers } from './checks/check-members.ts'
import type { LocatedFeature } from './locate-feature.ts'
import { readOwnFeatures, withFolders } from './own-features.ts'
import '../modules/resolve-hook.ts'

/** A profile, merged with the profiles that it extends. */
export interface LoadedProfile {
  readonly name: string
  readonly summary: string
  /** The profile's file, then the files of the profiles that it extends. */
  readonly files: readonly string[]
  /** The name of a standard profile, or the path of the file of another profile, as it was given. */
  readonly path: string
  /** Folder that the module paths of a user's profile are relative to. */
  readonly base: string
  readonly library: TargetSpec
  readonly main: TargetSpec | undefined
  readonly own: Readonly<Record<string, LocatedFeature>>
  /** For each feature of the user, the folder of the profile that declares it. */
  readonly homes: Readonly<Record<string, string>>
  readonly builtins: readonly string[]
  /** Licences that packages may have; undefined allows all. */
  readonly licenses: readonly string[] | undefined
  /** The lowest stability that a feature may have. */
  readonly minStability: Stability | undefined
  /** Settings for the start at the end of a build. */
  readonly startSettings: Readonly<Record<string, unknown>>
}

const profilesDir = join(root, 'profiles')

/** Names of the profiles that the project ships. */
export function standardProfiles(): string[] {
  return readdirSync(profilesDir)
    .filter((file) => file.endsWith('.ts') && file !== 'matrix.ts' && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

/**
 * Loads a profile: a standard profile by name, or a user's profile by the path of its module (`export default` or
 * `export const profile`). Contracts in it contain no callable functions unless `read` imports the module into this
 * process.
 * @throws SvcError `ERR_PROFILE_NOT_FOUND`, `ERR_PROFILE_INVALID`
 */
export function loadProfile(
  nameOrPath: string,
  from: string = process.cwd(),
  read: ReadModule = readModule,
): Promise<LoadedProfile> {
  return load(nameOrPath, from, read, [])
}

async function load(
  nameOrPath: string,
  from: string,
  read: ReadModule,
  children: readonly string[],
): Promise<LoadedProfile> {
  const isPath = /[/\\]|\.[cm]?[jt]s$/.test(nameOrPath)
  const file = isPath ? resolve(from, nameOrPath) : join(profilesDir, `${nameOrPath}.ts`)
  if (!existsSync(file) || (!isPath && !standardProfiles().includes(nameOrPath)))
    throw notFound(nameOrPath, isPath ? nearbyFile(file) : nearest(nameOrPath, standardProfiles()))
  if (children.includes(file)) {
    const message = `A profile extends itself: ${[...children, file].join(' → ')}.`
    throw buildFail('ERR_PROFILE_INVALID', { message, hint: 'Take one `extends` out.' })
  }
  const profile = await importProfile(file, read)
  if (reserved(profile.name) && dirname(realpathSync(file)) !== realpathSync(profilesDir)) {
    const message = `${file}: the name "${profile.name}" is taken.`
    throw buildFail('ERR_PROFILE_INVALID', {
      message,
      hint: 'A standard profile or another folder of builds has this name; choose another.',
    })
  }
  const base = isPath ? dirname(realpathSync(file)) : root
  const parent =
    profile.extends === undefined ? undefined : await load(profile.extends, base, read, [...children, file])
  const { features, problems } = await readOwnFeatures(profile.own ?? {}, base, read)
  throwAll(`Profile ${profile.name}`, problems)
  return merge({ ...profile, own: features }, parent, base, { path: nameOrPath, file: realpathSync(file) })
}

/** Whether a name is that of a standard profile, or of another folder in `dist/` or `.build/`. */
function reserved(name: string): boolean {
  return (
    [...standardProfiles(), 'npm', 'npm-toolkit', 'cache', 'conformance'].includes(name) || /^combos-\d+$/.test(name)
  )
}

async function importProfile(file: string, read: ReadModule): Promise<Profile> {
  const module = await read(file).catch(async (cause: unknown) => {
    const { why, ...hint } = await explainLoad(file, cause, dirname(file))
    throw buildFail('ERR_PROFILE_INVALID', { message: `${file} cannot be loaded: ${why}`, ...hint, cause })
  })
  const value = module['profile'] ?? module['default']
  const wrong = shapeProblem(value)
  if (wrong !== undefined) {
    throw buildFail('ERR_PROFILE_INVALID', {
      message: `${file}: ${wrong}`,
      hint: "Export it as `export const profile = { name: 'edge', summary: '…', extends: 'minimal', library: { features: { … } } }`.",
    })
  }
  return value as Profile
}

function shapeProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'exports no profile.'
  const { name, summary, library } = value as Partial<Record<keyof Profile, unknown>>
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    return 'a profile needs a `name` of lower-case letters, digits and hyphens.'
  }
  if (typeof summary !== 'string') return 'a profile needs a `summary` of one line.'
  if (typeof library !== 'object' || library === null)
    return 'a profile needs a `library` (an empty object takes the parent’s).'
  const { main = {}, own = {} } = value as Partial<Profile>
  const unknown = [
    ...unknownMembers('profile', value),
    ...[library, main].flatMap((target) => unknownMembers('target', target)),
    ...Object.entries(own).flatMap(([id, row]) =>
      typeof row === 'string' || typeof row === 'function'
        ? []
        : `\`own\` names the module that exports the feature ${id}: write '${id}': './feature.ts'`,
    ),
  ]
  return unknown.length === 0 ? undefined : `${unknown.join('\n  ')}`
}

/** The path that a profile was given by, and its file. */
interface Found {
  readonly path: string
  readonly file: string
}

function merge(
  profile: Omit<Profile, 'own'> & { readonly own: LoadedProfile['own'] },
  parent: LoadedProfile | undefined,
  base: string,
  { path, file }: Found,
): LoadedProfile {
  const library = mergeTarget(parent?.library, profile.library) ?? { platform: 'web', features: {} }
  const main = mergeTarget(parent?.main, profile.main)
  return {
    name: profile.name,
    summary: profile.summary,
    files: [file, ...(parent?.files ?? [])],
    path,
    base,
    library,
    main,
    own: withFolders({ ...parent?.own, ...profile.own }),
    homes: { ...parent?.homes, ...Object.fromEntries(Object.keys(profile.own).map((id) => [id, base])) },
    licenses: profile.licenses ?? parent?.licenses,
    minStability: profile.minStability ?? parent?.minStability,
    startSettings: { ...parent?.startSettings, ...profile.startSettings },
    builtins: [...new Set([...(parent?.builtins ?? []), ...(profile.builtins ?? [])])].sort(),
  }
}

/**
 * Merges targets: a child's features override those of its parent. Sizes are not inherited, because the child's
 * features change the size.
 */
function mergeTarget(parent: TargetSpec | undefined, child: Partial<TargetSpec> | undefined): TargetSpec | undefined {
  if (parent === undefined && child === undefined) return undefined
  const features: FeatureSet = { ...parent?.features, ...child?.features }
  const { gzipBytes, gzipLimit, gzipTotal, gzipTotalLimit, single } = child ?? {}
  return {
    platform: child?.platform ?? parent?.platform ?? 'web',
    features,
    ...(gzipBytes === undefined ? {} : { gzipBytes }),
    ...(gzipLimit === undefined ? {} : { gzipLimit }),
    ...(gzipTotal === undefined ? {} : { gzipTotal }),
    ...(gzipTotalLimit === undefined ? {} : { gzipTotalLimit }),
    ...(single === undefined ? {} : { single }),
  }
}

function notFound(nameOrPath: string, near: string | undefined): Error {
  return buildFail('ERR_PROFILE_NOT_FOUND', {
    message: `There is no profile "${nameOrPath}".`,
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}The profiles are ${standardProfiles().join(', ')}; a profile of your own is named by the path of its file.`,
  })
}
