/** Loaded before every test file that the runner runs. */
import { registerHooks } from 'node:module'

const limited = new URL('./limited-uvu.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'uvu' && context.parentURL !== limited) return next(limited, context)
    return next(specifier, context)
  },
})

// Heard even where the file under test has a handler of its own.
process.on('uncaughtExceptionMonitor', (error: unknown, origin) => {
  const shown = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`# unhandled: ${origin}: ${shown}\n`)
})

// The runner asks a process that does not end what keeps it. A signal handler keeps no process alive.
process.on('SIGUSR2', () => {
  const open = process.getActiveResourcesInfo().filter((kind) => kind !== 'SignalWrap' && !kind.startsWith('TTY'))
  process.stderr.write(`# still open: ${open.join(', ')}\n`, () => process.kill(process.pid, 'SIGKILL'))
})
