/** Suggests a file for one that does not exist. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../../../core/settings/suggest.ts'

/**
 * Suggests an existing file for the path of a missing one: a file in the same folder, or a file with the same name in a
 * sibling folder. Returns undefined if nothing is similar.
 */
export function nearbyFile(missing: string): string | undefined {
  const folder = dirname(missing)
  const around = dirname(folder)
  const beside = entriesOf(folder).map((name) => join(folder, name))
  const next = entriesOf(around).map((name) => join(around, name, basename(missing)))
  return nearest(
    missing,
    [...beside, ...next].filter((path) => path !== missing && existsSync(path)),
  )
}

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
