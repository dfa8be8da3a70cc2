/** What every command of `svc-build` prints, and how it ends, on one example. */
import { builtExample, runCases } from './case.ts'
import { goldenCases } from './cases/golden.ts'

runCases('svc-build, outputs', builtExample, goldenCases)
