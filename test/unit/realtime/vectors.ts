import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = process.env['SVC_VECTORS'] ?? join(import.meta.dirname, '../../../../shared/vectors')

/** Reads a file of conformance vectors; null, said aloud, where they are not there. */
export function vectors<Case>(file: string): readonly Case[] | null {
  const path = join(root, file)
  if (!existsSync(path)) {
    console.log(`SKIPPED ${file}: no vectors at ${root} (set SVC_VECTORS)`)
    return null
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as { cases: readonly Case[] }).cases
}
