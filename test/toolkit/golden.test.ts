/** The output and exit code of every command of `svc-build` for one example. */
import { runCases } from './case.ts'
import { goldenCases } from './cases/golden.ts'
import { builtExample } from './rig.ts'

runCases('svc-build, outputs', builtExample, goldenCases)
