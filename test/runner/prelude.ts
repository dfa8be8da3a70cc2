/** The runner loads this module before every test file. */
import { readFileSync, writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { keepStripped } from '../../scripts/stripped.ts'

/** Modules that replace packages. */
const limited = new Map(
  ['uvu', 'fast-check'].map((name) => [name, new URL(`./limited-${name}.ts`, import.meta.url).href]),
)

registerHooks({
  resolve: (specifier, context, next) => {
    const replacement = limited.get(specifier)
    return next(replacement === undefined || context.parentURL === replacement ? specifier : replacement, context)
  },
})

keepStripped(new URL('../../', import.meta.url).href)

// A monitor also gets errors for which the file under test has its own handler.
process.on('uncaughtExceptionMonitor', (error: unknown, origin) => {
  const shown = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`# unhandled: ${origin}: ${shown}\n`)
})

/**
 * The kernel reports processor time in ticks of 10 ms, independent of its timer rate (proc(5), `sysconf(_SC_CLK_TCK)`).
 */
const TICKS_PER_S = 100

/** Processor time of this process and of the children it waited for, as Linux counts it. */
function processorSeconds(): number {
  // proc(5): pid (name) state ppid …; fields 14 to 17 are utime, stime, cutime, cstime. The name may have spaces and
  // brackets.
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ').slice(11, 15) ?? []
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_S
}

// Threads and processes that a test starts may load this file too. Only the process that the runner started reports.
if (process.platform === 'linux' && isMainThread && process.env['SVC_TEST_RUNNER'] === String(process.ppid))
  process.on('exit', () => {
    writeSync(2, `# processor seconds: ${processorSeconds().toFixed(2)}\n`)
  })

// If a process does not end, the runner sends this signal to get its open handles. A signal handler does not keep the
// process alive.
process.on('SIGUSR2', () => {
  const open = process.getActiveResourcesInfo().filter((kind) => kind !== 'SignalWrap' && !kind.startsWith('TTY'))
  process.stderr.write(`# still open: ${open.join(', ')}\n`, () => process.kill(process.pid, 'SIGKILL'))
})
