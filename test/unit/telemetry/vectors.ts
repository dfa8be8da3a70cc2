/** Reads the conformance vectors, which are data from outside the repository. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['SVC_VECTORS'] ?? '../shared/vectors'

/** Path of a file or folder of the vectors; undefined where it is absent, for the test to skip aloud. */
export function vectorPath(name: string): string | undefined {
  const path = join(folder, name)
  return existsSync(path) ? path : undefined
}

/** The cases of a vector file; undefined where it is absent. */
export function vectorCases<Case>(name: string): readonly Case[] | undefined {
  const path = vectorPath(name)
  return path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] }).cases
}
