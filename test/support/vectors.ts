/** The conformance vectors: data beside the repository, and no part of it. `SVC_VECTORS` names another folder. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.env['SVC_VECTORS'] ?? join(import.meta.dirname, '../../../shared/vectors'))

/** Why no test of vectors can run; undefined where it can. */
export const noVectors: string | undefined = existsSync(folder)
  ? undefined
  : `no conformance vectors at ${folder}; set SVC_VECTORS`

/** Path of a file or folder of the vectors; undefined where it is absent. */
export function vectorPath(name: string): string | undefined {
  const path = join(folder, name)
  return existsSync(path) ? path : undefined
}

/** The content of a vector file. Only for tests that `noVectors` leaves out. */
export function readVectors<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Content
}

/** Its cases. */
export function vectorCases<Case>(name: string): readonly Case[] {
  return readVectors<{ cases: readonly Case[] }>(name).cases
}
