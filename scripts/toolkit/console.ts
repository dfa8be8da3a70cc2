/** The output of a sub-command: results on stdout, progress and notes on stderr. */
import type { ToolIo } from './tool.ts'

/** Opens the console of one call. `done` clears the progress line. */
export function openConsole(json: boolean): { io: ToolIo; done(): void } {
  const { stdout, stderr } = process
  const live = stderr.isTTY === true && process.env['TERM'] !== 'dumb'
  let shown = false
  const clear = (): void => {
    if (shown) stderr.write('\r\u001b[K')
    shown = false
  }
  const io: ToolIo = {
    json,
    color: stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '',
    out: (line) => {
      clear()
      if (!json) stdout.write(`${withoutControls(line)}\n`)
    },
    note: (line) => {
      clear()
      stderr.write(`${withoutControls(line)}\n`)
    },
    step: (text) => {
      clear()
      if (!live) stderr.write(`${withoutControls(text)}\n`)
      else {
        stderr.write(withoutControls(text).slice(0, Math.max(20, (stderr.columns ?? 80) - 1)))
        shown = true
      }
    },
  }
  return { io, done: clear }
}

/** A text in bold, if colours are allowed. */
export function bold({ color }: Pick<ToolIo, 'color'>, text: string): string {
  return color ? `\u001b[1m${text}\u001b[22m` : text
}

/**
 * Removes control characters except our own bold, because output can contain text from third-party packages and
 * profiles, which must not control the terminal.
 */
function withoutControls(line: string): string {
  return line.replace(
    /(\u001b\[(?:1|22)m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (_, bold?: string) => bold ?? '',
  )
}
