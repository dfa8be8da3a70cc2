/** What docs/cluster.md says of the suites of one service that several nodes do not keep. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/build/paths.ts'
import { leftOut } from '../../support/nodes.ts'

/** Reasons for which tests were left out so far, and which the page does not give. */
export function untold(): readonly string[] {
  return leftOut().filter((reason) => !told().includes(reason))
}

/** The reasons of the page. */
export function told(): readonly string[] {
  const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
  const [, section] = /\n## What holds for one node alone\n([\s\S]*?)\n## /.exec(page)!
  return [...section!.matchAll(/^\| (.+?) \|/gm)].map(([, reason]) => reason!).slice(1)
}
