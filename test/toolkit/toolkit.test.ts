/** `svc-build`, from the installed tarballs in a temporary folder, without this repository and without a network. */
import { suite } from 'uvu'
import { skip } from '../support/skip.ts'
import { questionCases } from './cases/questions.ts'
import { startCases } from './cases/start.ts'
import { typeCases } from './cases/types.ts'
import { install, isPacked, type Rig } from './rig.ts'

const test = suite('svc-build')

if (!isPacked) skip(test, 'svc-build', 'make package has not been run')
else {
  let rig: Rig
  test.before(() => {
    rig = install()
  })
  test.after(() => rig.remove())
  const cases = [startCases, typeCases, questionCases].flat()
  for (const [name, work] of cases) test(name, () => work(rig))
}
test.run()
