/** Loads a profile with its own features, and merges the profiles that it extends. */
import { realpathSync } from 'node:fs'
import type { Stability } from '../../../core/declare/manifest.ts'
import type { FeatureSet, Profile, TargetSpec } from '../../../core/declare/matrix.ts'
import { buildFail, throwAll } from '../errors.ts'
import { type ReadModule, readModule } from '../modules/read-module.ts'
import type { LocatedFeature } from './locate-feature.ts'
import { readOwnFeatures, withFolders } from './own-features.ts'
import { readProfile } from './read-profile.ts'

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
  readonly ownFeatures: Readonly<Record<string, LocatedFeature>>
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
  const { profile, file, base } = await readProfile(nameOrPath, from, read)
  if (children.includes(file)) {
    const message = `A profile extends itself: ${[...children, file].join(' → ')}.`
    throw buildFail('ERR_PROFILE_INVALID', { message, hint: 'Take one `extends` out.' })
  }
  const parent =
    profile.extends === undefined ? undefined : await load(profile.extends, base, read, [...children, file])
  const { features, problems } = await readOwnFeatures(profile.own ?? {}, base, read)
  throwAll(`Profile ${profile.name}`, problems)
  return merge({ ...profile, ownFeatures: features }, parent, base, { path: nameOrPath, file: realpathSync(file) })
}

/** The path that a profile was given by, and its file. */
interface Found {
  readonly path: string
  readonly file: string
}

function merge(
  profile: Omit<Profile, 'own'> & Pick<LoadedProfile, 'ownFeatures'>,
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
    ownFeatures: withFolders({ ...parent?.ownFeatures, ...profile.ownFeatures }),
    homes: { ...parent?.homes, ...Object.fromEntries(Object.keys(profile.ownFeatures).map((id) => [id, base])) },
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
