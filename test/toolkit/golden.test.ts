/** What every command of `svc-build` prints, and how it ends, on one example. */
import { suite } from 'uvu'
import { skip } from '../support/skip.ts'
import { goldenCases } from './cases/golden.ts'
import { isPacked, type Rig, unpack } from './rig.ts'

const test = suite('svc-build, outputs')

if (!isPacked) skip(test, 'svc-build, outputs', 'make package has not been run')
else {
  let rig: Rig
  test.before(() => {
    rig = unpack()
    rig.good('init')
    rig.good('build', 'edge.ts')
  })
  test.after(() => rig.remove())
  for (const [name, work] of goldenCases) test(name, () => work(rig))
}
test.run()
