/**
 * Texts of the repository that show what commands print: pages and golden files. Tests run the commands, compare, and
 * leave the text that they saw; `make renew` takes it over.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, workDir } from '../build/paths.ts'

/** The folder of the texts that tests saw, by their paths in the repository. */
export const seenDir: string = join(workDir, '.build', 'renew')

/** The test files that run such commands, by parts of their paths. */
export const commandTests: readonly string[] = [
  ...[
    'docs/at-night',
    'docs/backup',
    'docs/boards',
    'docs/commands',
    'docs/tour',
    'cluster/tour',
    'install/tour',
    'toolkit/golden',
    'toolkit/transcript',
  ],
]

/** Leaves a text that a test saw. `change` gets the text that an earlier test left, or that of the repository. */
export function leaveSeen(path: string, change: (text: string) => string): void {
  const seenFile = join(seenDir, path)
  const file = existsSync(seenFile) ? seenFile : join(root, path)
  mkdirSync(dirname(seenFile), { recursive: true })
  writeFileSync(seenFile, change(existsSync(file) ? readFileSync(file, 'utf8') : ''))
}
