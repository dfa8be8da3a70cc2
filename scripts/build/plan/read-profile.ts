/** Finds the module of a profile by name or by path, and reads it, but not its own features or what it extends. */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Profile } from '../../../core/declare/matrix.ts'
import { nearest } from '../../../core/kernel/nearest.ts'
import { buildFail } from '../errors.ts'
import { nearbyFile } from '../modules/explain-import.ts'
import { type ReadModule, readModule } from '../modules/read-module.ts'
import { root } from '../paths.ts'
import { unknownMembers } from './checks/check-members.ts'
import '../modules/resolve-hook.ts'

const profilesDir = join(root, 'profiles')

/** Modules in `profiles/` that are not profiles. */
const notProfiles = ['features.ts', 'matrix.ts']

/** Names of the profiles that the project ships. */
export function standardProfiles(): string[] {
  return readdirSync(profilesDir)
    .filter((file) => file.endsWith('.ts') && !notProfiles.includes(file) && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

/** A profile as its module exports it. */
export interface ProfileModule {
  readonly profile: Profile
  readonly file: string
  /** Folder that the module paths of a user's profile are relative to. */
  readonly base: string
}

/**
 * Reads the module of a profile: a standard profile by name, or a user's profile by the path of its module.
 * @throws SvcError `ERR_PROFILE_NOT_FOUND`, `ERR_PROFILE_INVALID`
 */
export async function readProfile(
  nameOrPath: string,
  from: string = process.cwd(),
  read: ReadModule = readModule,
): Promise<ProfileModule> {
  const isPath = /[/\\]|\.[cm]?[jt]s$/.test(nameOrPath)
  const file = isPath ? resolve(from, nameOrPath) : join(profilesDir, `${nameOrPath}.ts`)
  if (!existsSync(file) || (!isPath && !standardProfiles().includes(nameOrPath)))
    throw notFound(nameOrPath, isPath ? nearbyFile(file) : nearest(nameOrPath, standardProfiles()))
  const profile = await importProfile(file, read)
  if (reserved(profile.name) && dirname(realpathSync(file)) !== realpathSync(profilesDir)) {
    const message = `${file}: the name "${profile.name}" is taken.`
    throw buildFail('ERR_PROFILE_INVALID', {
      message,
      hint: 'A standard profile or another folder of builds has this name; choose another.',
    })
  }
  return { profile, file, base: isPath ? dirname(realpathSync(file)) : root }
}

/** Whether a name is that of a standard profile, or of another folder in `dist/` or `.build/`. */
function reserved(name: string): boolean {
  return (
    [...standardProfiles(), 'npm', 'npm-toolkit', 'cache', 'conformance'].includes(name) || /^combos-\d+$/.test(name)
  )
}

async function importProfile(file: string, read: ReadModule): Promise<Profile> {
  const module = await read(file).catch(async (cause: unknown) => {
    // `explain-load.ts` loads the bundler, which commands that only read a build do not need.
    const { explainLoad } = await import('../modules/explain-load.ts')
    const { why, ...hint } = await explainLoad(file, cause, dirname(file))
    throw buildFail('ERR_PROFILE_INVALID', { message: `${file} cannot be loaded: ${why}`, ...hint, cause })
  })
  const value = module['profile'] ?? module['default']
  const wrong = shapeProblem(value)
  if (wrong !== undefined) {
    throw buildFail('ERR_PROFILE_INVALID', {
      message: `${file}: ${wrong}`,
      hint:
        "Export it as `export const profile = { name: 'edge', summary: " +
        "'…', extends: 'minimal', library: { features: { … } } }`.",
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
  const { main = {}, own: modules = {} } = value as Partial<Profile>
  const unknown = [
    ...unknownMembers('profile', value),
    ...[library, main].flatMap((target) => unknownMembers('target', target)),
    ...Object.entries(modules).flatMap(([id, row]) =>
      typeof row === 'string' || typeof row === 'function'
        ? []
        : `\`own\` names the module that exports the feature ${id}: write '${id}': './feature.ts'`,
    ),
  ]
  return unknown.length === 0 ? undefined : `${unknown.join('\n  ')}`
}

function notFound(nameOrPath: string, near: string | undefined): Error {
  return buildFail('ERR_PROFILE_NOT_FOUND', {
    message: `There is no profile "${nameOrPath}".`,
    hint:
      `${near === undefined ? '' : `Did you mean ${near}? `}The profiles are ` +
      `${standardProfiles().join(', ')}; a profile of your own is named by the path of its file.`,
  })
}
