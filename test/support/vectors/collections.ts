/**
 * Larger collections of conformance vectors. They are data beside the repository and not a part of it: where they
 * exist, their cases are tested in addition to the project's own. `SVC_VECTORS` names another folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.env['SVC_VECTORS'] ?? join(import.meta.dirname, '../../../../shared/vectors'))

/** The content of a file of the collections. Undefined if it does not exist. */
export function readCollected<Content>(name: string): Content | undefined {
  const path = join(folder, name)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Content) : undefined
}

/** The cases of a file of the collections. Empty if it does not exist. */
export function collected<Case>(name: string): readonly Case[] {
  return readCollected<{ cases: readonly Case[] }>(name)?.cases ?? []
}
