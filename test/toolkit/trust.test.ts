/**
 * `svc-build` under attack: signatures, hostile folders, revisions of a repository. Also `dev`, which runs what it
 * builds.
 */
import { runCases } from './case.ts'
import { devCases } from './cases/dev.ts'
import { hostileCases } from './cases/hostile.ts'
import { revisionCases } from './cases/revisions.ts'
import { signatureCases } from './cases/signatures.ts'
import { builtExample } from './rig.ts'

runCases('svc-build, trust', builtExample, [signatureCases, revisionCases, devCases, hostileCases].flat())
