/** Says what takes so long: on a terminal one line that moves, elsewhere a line for each step that is done. */
import type { Awaitable } from '../core/awaitable.ts'

/** What is written to: stderr, which is no place for results. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

/** Shows the steps of one piece of work. */
export interface Progress {
  /** Runs a step and shows how long it takes. */
  step<T>(name: string, work: () => Awaitable<T>): Promise<T>
  /** Ends the line; nothing more is written. */
  end(): void
}

/** What progress is shown with; the machine's own where absent. */
export interface ProgressOptions {
  readonly stream?: ProgressStream
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Milliseconds that never go back. */
  readonly now?: () => number
}

/** Between two pictures of the moving line. */
const PICTURE_MS = 100
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** Shows progress under a title. A terminal gets no colour where `NO_COLOR` is set, and plain lines where it is a dumb one. */
export function createProgress(title: string, options: ProgressOptions = {}): Progress {
  const { stream = process.stderr, environment = process.env, now = () => performance.now() } = options
  const moves = stream.isTTY === true && environment['TERM'] !== 'dumb'
  return moves ? movingLine(title, stream, now, (environment['NO_COLOR'] ?? '') === '') : plainLines(title, stream, now)
}

function plainLines(title: string, stream: ProgressStream, now: () => number): Progress {
  return {
    async step(name, work) {
      const sinceMs = now()
      const result = await work()
      stream.write(`${title}: ${name} ${seconds(now() - sinceMs)}\n`)
      return result
    },
    end: () => undefined,
  }
}

function movingLine(title: string, stream: ProgressStream, now: () => number, colored: boolean): Progress {
  const dim = (text: string): string => (colored ? `\u001b[2m${text}\u001b[22m` : text)
  const done: { readonly name: string; readonly ms: number }[] = []
  let running: { readonly name: string; readonly sinceMs: number } | undefined
  let picture = 0
  let ended = false
  const draw = (): void => {
    const parts = [...done]
    if (running !== undefined) parts.push({ name: running.name, ms: now() - running.sinceMs })
    const sign = running === undefined ? '' : ` ${SPINNER[picture++ % SPINNER.length]}`
    const plain = `${title}: ${parts.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}${sign}`
    // A line that wraps cannot be drawn over.
    const fits = plain.length < (stream.columns ?? 80)
    const shown = fits ? parts : parts.slice(-1)
    const text = shown.map(({ name, ms }) => `${name} ${dim(seconds(ms))}`).join(', ')
    stream.write(`\r\u001b[K${title}: ${text}${sign}`)
  }
  const timer = setInterval(() => running !== undefined && draw(), PICTURE_MS)
  timer.unref()
  return {
    async step(name, work) {
      const sinceMs = now()
      running = { name, sinceMs }
      draw()
      try {
        return await work()
      } finally {
        running = undefined
        done.push({ name, ms: now() - sinceMs })
        draw()
      }
    },
    end() {
      clearInterval(timer)
      if (!ended && done.length > 0) stream.write('\n')
      ended = true
    },
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
