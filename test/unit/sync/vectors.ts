/** Finds the conformance vectors, which are data beside the repository and not part of it. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(process.env['SVC_VECTORS'] ?? resolve(import.meta.dirname, '../../../../shared/vectors'))

/** The cases of one vector file; undefined, said aloud, where the folder is absent. */
export function readVectors<Case>(file: string): Case[] | undefined {
  const path = resolve(root, file)
  if (!existsSync(path)) {
    console.log(`SKIPPED: no vectors at ${path} (SVC_VECTORS names the folder)`)
    return undefined
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] }).cases
}
