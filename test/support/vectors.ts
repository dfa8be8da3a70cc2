/**
 * The conformance vectors. They are data beside the repository and not a part of it. `SVC_VECTORS` names another
 * folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.env['SVC_VECTORS'] ?? join(import.meta.dirname, '../../../shared/vectors'))

/** The reason to skip tests of vectors. Undefined if the vectors exist. */
export const noVectors: string | undefined = existsSync(folder)
  ? undefined
  : `no conformance vectors at ${folder}; set SVC_VECTORS`

/** The path of a file or folder of the vectors. Returns undefined if it does not exist. */
export function vectorPath(name: string): string | undefined {
  const path = join(folder, name)
  return existsSync(path) ? path : undefined
}

/** The content of a vector file. Only for tests that are skipped if `noVectors` has a reason. */
export function readVectors<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Content
}

/** The cases of a vector file. */
export function vectorCases<Case>(name: string): readonly Case[] {
  return readVectors<{ cases: readonly Case[] }>(name).cases
}
