/** Reads the conformance vectors, which are data from outside the repository. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['SVC_VECTORS'] ?? '../shared/vectors'

/** Path of a file or folder of the vectors; undefined, said aloud, where it is absent. */
export function vectorPath(name: string): string | undefined {
  const path = join(folder, name)
  if (existsSync(path)) return path
  console.log(`SKIPPED: no conformance vectors at ${path} (set SVC_VECTORS)`)
  return undefined
}

/** The cases of a vector file; undefined, said aloud, where it is absent. */
export function vectorCases<Case>(name: string): readonly Case[] | undefined {
  const path = vectorPath(name)
  return path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] }).cases
}
