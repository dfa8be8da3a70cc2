/** Messages with a place in a file, and the source line of it. */
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The reason why a module cannot be loaded, and a hint for the fix. */
export interface Explained {
  readonly why: string
  readonly hint?: string
}

/** A line of a file. */
interface Place {
  readonly line: number
  readonly column: number | undefined
  readonly text: string | undefined
}

/** A message with the place that it is about. */
export function withSource(file: string, { line, column, text }: Place, message: string): string {
  const head = `${file}:${line}${column === undefined ? '' : `:${column}`}: ${message}`
  if (text === undefined) return head
  // Tabs are kept, so that the `^` is below the right column.
  const before = column === undefined ? undefined : text.slice(0, column - 1).replace(/[^\t]/g, ' ')
  return [head, `      ${text}`, ...(before === undefined ? [] : [`      ${before}^`])].join('\n')
}

/** The path of a place in a module. */
export function fileOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

/** The text of a line, counted from 1. */
export function lineOf(file: string, line: number): string | undefined {
  return isAbsolute(file) && existsSync(file) ? readFileSync(file, 'utf8').split('\n')[line - 1] : undefined
}
