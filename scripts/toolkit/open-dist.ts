/** Reads the account and the proof of a build. Builds the profile only if it has not been built. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ACCOUNT, type Account } from '../build/account/account.ts'
import { distDir, workDir } from '../build/paths.ts'
import { readProfile } from '../build/plan/read-profile.ts'
import type { ProofFile } from '../build/prove/dist.ts'
import { toolFail } from './errors.ts'
import { readText } from './files.ts'

/** The folder `dist/<profile>/` of a build. */
export interface Dist {
  readonly folder: string
  readonly account: Account
  readonly proof: ProofFile
}

/** Size limit of an account in bytes, a thousand times the size of our largest account. */
const LONGEST_BYTES = 512 * 1_048_576

/** The description of a command's build argument, for help texts. */
export const DIST_WORD = 'a profile by name or by the path of its file, or a folder that a build has made'

/**
 * Opens the build of a profile, after building it if it has not been built; or opens a folder.
 * @throws SvcError the errors of loading and building, and `ERR_TOOL_UNBUILT` for a folder without an account
 */
export async function openDist(word: string): Promise<Dist> {
  const folder = await folderOf(word)
  if (!existsSync(join(folder, ACCOUNT)) && !isFolder(word)) {
    // The builder takes half a second to load.
    const { buildShown } = await import('./build-shown.ts')
    await buildShown(word)
  }
  return readDist(folder)
}

/** Reads a folder without building anything. */
export function readDist(folder: string): Dist {
  return { folder, account: readJson<Account>(folder, ACCOUNT), proof: readJson<ProofFile>(folder, 'proof.json') }
}

/** The folder that a word refers to, even if the folder does not exist. */
export async function folderOf(word: string): Promise<string> {
  return isFolder(word) ? resolve(word) : distDir((await readProfile(word)).profile.name)
}

/**
 * The folder from which the packages of a profile's features are found: the folder of the profile, or the current
 * directory if the word names a folder.
 */
export async function homeOf(word: string): Promise<string> {
  return isFolder(word) ? workDir : (await readProfile(word)).base
}

function isFolder(word: string): boolean {
  return /[/\\]|^\.+$/.test(word) && statSync(word, { throwIfNoEntry: false })?.isDirectory() === true
}

function readJson<T>(folder: string, name: string): T {
  try {
    return JSON.parse(readText(join(folder, name), LONGEST_BYTES)) as T
  } catch (cause) {
    const hint = 'Build the profile with this toolkit: svc-build build <profile>.'
    throw toolFail('ERR_TOOL_UNBUILT', { message: `${folder} holds no ${name} that can be read.`, hint, cause })
  }
}
