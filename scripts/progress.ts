/**
 * Shows the progress of long work: on a terminal one line that is updated, elsewhere one line for each finished step.
 */
import type { Awaitable } from '../core/kernel/values.ts'

/** The stream for the output; by default stderr, because stdout is for results. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

/** Shows the steps of one task. */
export interface Progress {
  /** Runs a step and shows how long it takes. */
  step<T>(name: string, work: () => Awaitable<T>): Promise<T>
  /** Ends the line; nothing more is written. */
  end(): void
}

/** Options of {@link createProgress}. The defaults are those of the process. */
export interface ProgressOptions {
  readonly stream?: ProgressStream
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** Milliseconds between two updates of the line. */
const FRAME_MS = 100
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** Shows progress under a title. Colours are off if `NO_COLOR` is set; a terminal with `TERM=dumb` gets plain lines. */
export function createProgress(title: string, options: ProgressOptions = {}): Progress {
  const { stream = process.stderr, environment = process.env, now = () => performance.now() } = options
  const isInteractive = stream.isTTY === true && environment['TERM'] !== 'dumb'
  return isInteractive
    ? movingLine(title, stream, now, (environment['NO_COLOR'] ?? '') === '')
    : plainLines(title, stream, now)
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
  // Steps may run side by side, and inside of each other.
  const running = new Set<{ readonly name: string; readonly sinceMs: number }>()
  let frame = 0
  let ended = false
  const draw = (): void => {
    const parts = [...done, ...[...running].map(({ name, sinceMs }) => ({ name, ms: now() - sinceMs }))]
    const sign = running.size === 0 ? '' : ` ${SPINNER[frame++ % SPINNER.length]}`
    const plain = `${title}: ${parts.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}${sign}`
    // A line that wraps cannot be overwritten.
    const fits = plain.length < (stream.columns ?? 80)
    const shown = fits ? parts : parts.slice(-Math.max(1, running.size))
    const text = shown.map(({ name, ms }) => `${name} ${dim(seconds(ms))}`).join(', ')
    stream.write(`\r\u001b[K${title}: ${text}${sign}`)
  }
  const timer = setInterval(() => running.size > 0 && draw(), FRAME_MS)
  timer.unref()
  return {
    async step(name, work) {
      const step = { name, sinceMs: now() }
      running.add(step)
      draw()
      try {
        return await work()
      } finally {
        running.delete(step)
        done.push({ name, ms: now() - step.sinceMs })
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
