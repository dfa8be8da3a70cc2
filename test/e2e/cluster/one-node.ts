/** The section of docs/cluster.md about tests of one service that do not hold for several nodes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/build/paths.ts'
import { leftOut } from '../../support/nodes.ts'

/** Reasons of skipped tests that the page does not give. */
export function untold(): readonly string[] {
  return leftOut().filter((reason) => !told().includes(reason))
}

/** The reasons that the page gives. */
export function told(): readonly string[] {
  const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
  const [, section] = /\n## What holds for one node alone\n([\s\S]*?)\n## /.exec(page)!
  return [...section!.matchAll(/^\| (.+?) \|/gm)].map(([, reason]) => reason!).slice(1)
}
