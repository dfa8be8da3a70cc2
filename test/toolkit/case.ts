/** Cases of `svc-build`, and the suites that run them. */
import { suite } from 'uvu'
import { skip } from '../support/skip.ts'
import { isPacked, type Rig, unpack } from './rig.ts'

/** A test of what an installed toolkit does. */
export type Case = readonly [name: string, work: (rig: Rig) => Promise<void> | void]

/** Runs cases, one after the other, in one folder that has the toolkit; skipped, and said aloud, where nothing was packed. */
export function runCases(name: string, prepare: () => Rig, cases: readonly Case[]): void {
  const test = suite(name)
  if (!isPacked) skip(test, name, 'make package has not been run')
  else {
    let rig: Rig | undefined
    test.before(() => {
      rig = prepare()
    })
    test.after(() => rig?.remove())
    for (const [title, work] of cases) test(title, () => work(rig!))
  }
  test.run()
}

/** A folder in which the example that `init` writes has been built. */
export function builtExample(): Rig {
  const rig = unpack()
  rig.good('init')
  rig.good('build', 'edge.ts')
  return rig
}
