/** Finds what a build has delivered: its account and its proof. Nothing is built that is there. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ACCOUNT, type Account } from '../build/account/account.ts'
import { distDir, workDir } from '../build/paths.ts'
import { loadProfile } from '../build/plan/load-profile.ts'
import type { ProofFile } from '../build/prove/dist.ts'
import { buildShown } from './build-shown.ts'
import { toolFail } from './errors.ts'
import { readText } from './read-file.ts'

/** What lies in `dist/<profile>/`. */
export interface Dist {
  readonly folder: string
  readonly account: Account
  readonly proof: ProofFile
}

/** The largest account of ours has a thousandth of it. */
const LONGEST_BYTES = 512 * 1_048_576

/** What every command that asks about a build says of its argument. */
export const DIST_WORD = 'a profile by name or by the path of its file, or a folder that a build has made'

/**
 * Opens what was built of a profile, which is built where nothing is there yet; or a folder.
 * @throws SvcError what loading and building throw, and `ERR_TOOL_UNBUILT` for a folder without an account
 */
export async function openDist(word: string): Promise<Dist> {
  const folder = await folderOf(word)
  if (!existsSync(join(folder, ACCOUNT)) && !isFolder(word)) {
    await buildShown(word)
  }
  return readDist(folder)
}

/** Reads a folder as it is. */
export function readDist(folder: string): Dist {
  return { folder, account: readJson<Account>(folder, ACCOUNT), proof: readJson<ProofFile>(folder, 'proof.json') }
}

/** The folder that a word means, whether it is there or not. */
export async function folderOf(word: string): Promise<string> {
  return isFolder(word) ? resolve(word) : distDir((await loadProfile(word)).name)
}

/** Where the packages of a profile's own features lie, beside it or above it; of a folder that was named, where it is called. */
export async function homeOf(word: string): Promise<string> {
  return isFolder(word) ? workDir : (await loadProfile(word)).base
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
