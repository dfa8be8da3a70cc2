/**
 * Extracts the files that a page of the documentation shows, so that `svc-build init` writes the same files that
 * readers copy.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'

/** Code blocks of `docs/<page>` that are marked `<!-- file: name -->`, by name. */
export function documentedFiles(page: string): Record<string, string> {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const blocks = text.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g)
  return Object.fromEntries([...blocks].map(([, name, code]) => [name!, code!]))
}
