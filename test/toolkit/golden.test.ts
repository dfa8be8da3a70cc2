/** What every command of `svc-build` prints, and how it ends, on one example. */
import { runCases } from './case.ts'
import { goldenCases } from './cases/golden.ts'
import { builtExample } from './rig.ts'

runCases('svc-build, outputs', builtExample, goldenCases)
