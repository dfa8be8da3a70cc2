/** `svc-build`: the toolkit as one command. */
import { runTool } from './runner.ts'

// A closed pipe (`svc-build explain … | head`) is not a failure.
process.stdout.once('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await runTool(process.argv.slice(2))
