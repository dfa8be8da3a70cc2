/** `svc-build` from the installed tarballs in a temporary folder, without this repository and without network. */
import { runCases } from './case.ts'
import { publishCases } from './cases/publish.ts'
import { questionCases } from './cases/questions.ts'
import { startCases } from './cases/start.ts'
import { typeCases } from './cases/types.ts'
import { install } from './rig.ts'

runCases('svc-build', install, [startCases, typeCases, publishCases, questionCases].flat())
