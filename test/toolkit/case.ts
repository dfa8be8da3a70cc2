/** Cases of `svc-build`, and the suites that run them. */
import { suite } from 'uvu'
import { skip } from '../support/skip.ts'
import { isPacked, type Rig } from './rig.ts'

/** A test of an installed toolkit. */
export type Case = readonly [name: string, work: (rig: Rig) => Promise<void> | void]

/**
 * Runs cases one after the other in one folder with the toolkit. Skips them with a reason if the toolkit was not
 * packed.
 */
export function runCases(name: string, prepare: () => Promise<Rig> | Rig, cases: readonly Case[]): void {
  const test = suite(name)
  if (!isPacked) skip(test, name, 'make package has not been run')
  else {
    let rig: Rig | undefined
    test.before(async () => {
      rig = await prepare()
    })
    test.after(() => rig?.remove())
    for (const [title, work] of cases) test(title, () => work(rig!))
  }
  test.run()
}
