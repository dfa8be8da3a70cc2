/** Builds profiles: the same as `svc-build build`. */
import { runTool } from '../toolkit/runner.ts'

process.exitCode = await runTool(['build', ...process.argv.slice(2)])
