/** Where the server profiles log to: standard output behind a bounded queue. */
import type { LogDestination } from './define-logs.ts'
import { toTimestamp } from './entry.ts'
import { type LogFormat, printEntry } from './formats.ts'
import { LineBuffer } from './line-buffer.ts'
import { openStandardOutput } from './node-output.ts'

/** A reader that takes nothing for this long at the end is not waited for. */
const PATIENCE_MS = 2_000
/** How long the last words of a crash may hold the process. */
const LAST_WORDS_MS = 200

/**
 * The destination on standard output. There is one queue a process, however many runtimes log to it: its bound is the
 * process's, and two queues would cut each other's lines. What stands in it when the process exits is written then.
 */
export function openLogDestination(format: LogFormat, wantColor: boolean): LogDestination {
  shared ??= openShared(format, wantColor)
  return shared
}

let shared: LogDestination | undefined

function openShared(format: LogFormat, wantColor: boolean): LogDestination {
  const output = openStandardOutput()
  const color = output.terminal && wantColor
  const counters = new Set<(lines: number) => void>()
  const buffer = new LineBuffer({
    output,
    printDropped: (count) => printEntry(droppedEntry(count), format, color),
    onDropped: (lines) => {
      // The runtimes of a process share their metrics as they share the queue: one of them counts.
      for (const count of counters) return count(lines)
    },
  })
  process.on('exit', () => output.writeNow(buffer.take(), LAST_WORDS_MS))
  return {
    color,
    write: (line) => buffer.write(line),
    flush: () => flushWithPatience(buffer),
    onDropped: (count) => {
      counters.add(count)
      return () => void counters.delete(count)
    },
  }
}

function droppedEntry(dropped: number): Parameters<typeof printEntry>[0] {
  const message = 'Log lines were dropped: what reads standard output is too slow, or was away.'
  return { timestamp: toTimestamp(Date.now()), level: 'WARN', target: 'svc::log', message, dropped }
}

async function flushWithPatience(buffer: LineBuffer): Promise<void> {
  const drained = buffer.drained().then(() => true)
  for (let before = -1; before !== buffer.progress; ) {
    before = buffer.progress
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, false)
    })
    const done = await Promise.race([drained, patience])
    clearTimeout(timer)
    if (done) return
  }
}
