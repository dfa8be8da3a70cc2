/** The formats: `json`, and for terminals `compact` with one line per entry and `pretty` with several. */
import type { TimedEntry } from './entry.ts'
import type { LogValue } from './log-value.ts'

/** Format of printed entries. */
export type LogFormat = 'json' | 'compact' | 'pretty'

/** Prints an entry with its final newline. `color` is for terminals only. */
export function printEntry(entry: TimedEntry, format: LogFormat, color: boolean): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(entry)}\n`
    case 'compact':
      return `${headline(entry, color)}${fieldsOf(entry)
        .map(([name, value]) => ` ${name}=${quote(value)}`)
        .join('')}\n`
    case 'pretty':
      return `${headline(entry, color)}\n${fieldsOf(entry)
        .map(([name, value]) => block(name, value, color))
        .join('')}\n`
  }
}

const fixed: ReadonlySet<string> = new Set(['timestamp', 'level', 'target', 'message'])

function fieldsOf(entry: TimedEntry): [string, LogValue][] {
  return Object.entries(entry)
    .filter(([name]) => !fixed.has(name))
    .map(([name, value]) => [escapeControls(name), value])
}

function headline(entry: TimedEntry, color: boolean): string {
  const level = entry.level.padStart(5)
  const target = escapeControls(entry.target)
  const message = escapeControls(entry.message)
  if (!color) return `${entry.timestamp} ${level} ${target}: ${message}`
  return `${paint(2, entry.timestamp)} ${paint(levelColors[entry.level] ?? 0, level)} ${paint(2, `${target}:`)} ${message}`
}

/** Prints a simple word as it is and all other values as JSON, so that the end of a value is unambiguous. */
function quote(value: LogValue): string {
  if (typeof value !== 'string') return escapeControls(JSON.stringify(value))
  return /^[\w.:/@+-]+$/.test(value) ? value : escapeControls(JSON.stringify(value))
}

function block(name: string, value: LogValue, color: boolean): string {
  const label = color ? paint(2, `${name}:`) : `${name}:`
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  const lines = text.split('\n').map(escapeControls)
  return lines.length === 1
    ? `    ${label} ${lines[0]}\n`
    : `    ${label}\n${lines.map((l) => `      ${l}\n`).join('')}`
}

/**
 * Makes control characters visible. Entries contain text from clients, which must not start a new line or send commands
 * to the reader's terminal.
 */
function escapeControls(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
    if (character === '\n') return '\\n'
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

const levelColors: Readonly<Record<string, number>> = { ERROR: 31, WARN: 33, INFO: 32, DEBUG: 34, TRACE: 35 }

function paint(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`
}
