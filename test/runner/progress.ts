/** Shows the progress of a run: an updated line on a terminal, otherwise one line every 30 s. */
import type { ProgressStream } from '../../scripts/progress.ts'

/** Pauses between lines, in milliseconds. */
const TERMINAL_MS = 250
const LINES_MS = 30_000

/** The progress of a run. */
export interface Progress {
  begin(file: string): void
  end(file: string): void
  /** Prints a text after the progress line has been cleared. */
  print(text: string): void
  stop(): void
}

/** Starts to show the progress of `total` files on `stream`. */
export function startProgress(total: number, stream: ProgressStream = process.stderr): Progress {
  const sinceMs = performance.now()
  const running = new Map<string, number>()
  let done = 0
  const terminal = stream.isTTY === true
  const show = (): void => {
    const line = toLine({ done, total, elapsedMs: performance.now() - sinceMs, running: [...running.keys()] })
    stream.write(terminal ? `\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`)
  }
  const clear = (): void => {
    if (terminal) stream.write('\r\u001b[K')
  }
  const timer = setInterval(show, terminal ? TERMINAL_MS : LINES_MS)
  timer.unref()
  return {
    begin: (file) => void running.set(file, performance.now()),
    end: (file) => {
      running.delete(file)
      done++
    },
    print: (text) => {
      if (text === '') return
      clear()
      process.stdout.write(text)
    },
    stop: () => {
      clearInterval(timer)
      clear()
    },
  }
}

/** One line of progress: files done of all, the time since the start, and what runs, the longest-running first. */
function toLine(state: {
  readonly done: number
  readonly total: number
  readonly elapsedMs: number
  readonly running: readonly string[]
}): string {
  const seconds = Math.floor(state.elapsedMs / 1_000)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const names = state.running.map((file) => file.replace(/^test\//, '').replace(/\.test\.ts$/, ''))
  return `${state.done} of ${state.total} files, ${time}${names.length > 0 ? `: ${names.join(', ')}` : ''}`
}
