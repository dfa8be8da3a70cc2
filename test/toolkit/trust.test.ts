/** `svc-build` where somebody means ill: signatures, hostile folders, revisions of a repository; and `dev`, which runs what it builds. */
import { suite } from 'uvu'
import { skip } from '../support/skip.ts'
import { devCases } from './cases/dev.ts'
import { hostileCases } from './cases/hostile.ts'
import { revisionCases } from './cases/revisions.ts'
import { signatureCases } from './cases/signatures.ts'
import { isPacked, type Rig, unpack } from './rig.ts'

const test = suite('svc-build, trust')

if (!isPacked) skip(test, 'svc-build, trust', 'make package has not been run')
else {
  let rig: Rig
  test.before(() => {
    rig = unpack()
    rig.good('init')
    rig.good('build', 'edge.ts')
  })
  test.after(() => rig.remove())
  for (const [name, work] of [signatureCases, revisionCases, devCases, hostileCases].flat()) test(name, () => work(rig))
}
test.run()
