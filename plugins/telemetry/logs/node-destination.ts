/** The destination of the log on Node: standard output behind a bounded queue. */

import { toTimestamp } from './entry.ts'
import { type LogFormat, printEntry } from './formats.ts'
import { LineBuffer } from './line-buffer.ts'
import { openStandardOutput } from './node-output.ts'
import type { LogDestination } from './variant.ts'

/** At the end, a reader without progress for this long is not waited for. */
const PATIENCE_MS = 2_000
/** Time limit of the last synchronous write of a crashing process. */
const LAST_WRITE_MS = 200

/**
 * Opens the destination on standard output. All runtimes of a process share one queue, because two queues would mix
 * their lines and double the memory. Lines that are queued when the process exits are written synchronously.
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
      // All runtimes of a process share their metrics, so only one of them may count.
      for (const count of counters) return count(lines)
    },
  })
  process.on('exit', () => output.writeNow(buffer.take(), LAST_WRITE_MS))
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
  const message = 'Log lines were dropped: the reader of standard output is too slow, or was away.'
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
