/** Shows the progress of a run: an updated line on a terminal, otherwise one line every 30 s. */
import type { ProgressStream } from '../../scripts/progress.ts'

/** Pauses between lines, in milliseconds. */
const TERMINAL_MS = 250
const LINES_MS = 30_000

/** The progress of a run. */
export interface Progress {
  /** Files that share a process begin together. */
  begin(files: readonly string[]): void
  end(files: readonly string[]): void
  /** Prints a text after the progress line has been cleared. */
  print(text: string): void
  stop(): void
}

/** Starts to show the progress of `total` files on `stream`. */
export function startProgress(total: number, stream: ProgressStream = process.stderr): Progress {
  const sinceMs = performance.now()
  const running = new Set<readonly string[]>()
  let done = 0
  const terminal = stream.isTTY === true
  const show = (): void => {
    const line = toLine({ done, total, elapsedMs: performance.now() - sinceMs, running: [...running].map(nameOf) })
    stream.write(terminal ? `\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`)
  }
  const clear = (): void => {
    if (terminal) stream.write('\r\u001b[K')
  }
  const timer = setInterval(show, terminal ? TERMINAL_MS : LINES_MS)
  timer.unref()
  return {
    begin: (files) => void running.add(files),
    end: (files) => {
      running.delete(files)
      done += files.length
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
  const names = state.running.length > 0 ? `: ${state.running.join(', ')}` : ''
  return `${state.done} of ${state.total} files, ${time}${names}`
}

function nameOf([file = '', ...others]: readonly string[]): string {
  const name = file.replace(/^test\//, '').replace(/\.test\.ts$/, '')
  return others.length > 0 ? `${name} and ${others.length} more` : name
}
