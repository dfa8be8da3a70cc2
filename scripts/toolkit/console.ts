/** Where a sub-command writes: results on stdout, what goes on on stderr. */
import type { ToolIo } from './tool.ts'

/** Opens the console of one call. `done` clears what was only of the moment. */
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
      if (!json) stdout.write(`${harmless(line)}\n`)
    },
    note: (line) => {
      clear()
      stderr.write(`${harmless(line)}\n`)
    },
    step: (text) => {
      clear()
      if (!live) stderr.write(`${harmless(text)}\n`)
      else {
        stderr.write(harmless(text).slice(0, Math.max(20, (stderr.columns ?? 80) - 1)))
        shown = true
      }
    },
  }
  return { io, done: clear }
}

/** A text in bold where colours may be used. */
export function bold({ color }: Pick<ToolIo, 'color'>, text: string): string {
  return color ? `\u001b[1m${text}\u001b[22m` : text
}

/** What is shown may come from packages and profiles of others: nothing in it steers the terminal but our own bold. */
function harmless(line: string): string {
  return line.replace(/(\u001b\[(?:1|22)m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (_, own?: string) => own ?? '')
}
