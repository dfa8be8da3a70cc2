/** Reads commands of a page that are marked as not run, so that a test can run them in its own way. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/build/paths.ts'
import { readPage } from './page.ts'

/**
 * Returns the commands of the block of a page that is marked as not run and has a command with this beginning.
 * @throws Error if the page has no such block
 */
export function commandsNotRun(page: string, beginning: string): readonly string[] {
  const { notRun } = readPage(readFileSync(join(root, page), 'utf8'))
  const block = notRun.find(({ commands }) => commands.some((command) => command.startsWith(beginning)))
  if (block === undefined) throw new Error(`${page} has no block "${beginning}" that is not run`)
  return block.commands
}
