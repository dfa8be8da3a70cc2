/** Builds profiles: `svc-build build` by the name of this file. */
import { runTool } from '../toolkit/runner.ts'

process.exitCode = await runTool(['build', ...process.argv.slice(2)])
