/**
 * The directives of `RUST_LOG`, in the dialect of tracing's `EnvFilter`: `level`, `target`, `target=level`,
 * `target[span{field=value}]=level`, separated by commas.
 */
import type { LogLevel } from '../../../core/log.ts'

/** The most that passes: a level and all above it in severity, or nothing. */
export type FilterLevel = LogLevel | 'off'

/** One directive as it was written. */
export interface Directive {
  /** A prefix of the record's target; null means every target. */
  readonly target: string | null
  readonly level: FilterLevel
  /** Name of a span, where the directive speaks of one. */
  readonly span: string | null
  /** Field conditions, unparsed. */
  readonly fields: readonly string[]
}

/** What came of a filter text. */
export interface ParsedDirectives {
  /** The directives that are well formed, in order. */
  readonly directives: readonly Directive[]
  /** The pieces that are not, as they were written. */
  readonly refused: readonly string[]
}

/** Reads a filter text leniently: a bad piece is set aside, the rest counts. */
export function parseDirectives(text: string): ParsedDirectives {
  const directives: Directive[] = []
  const refused: string[] = []
  for (const piece of text.split(',')) {
    const trimmed = piece.trim()
    if (trimmed === '') continue
    const directive = parseDirective(trimmed)
    if (directive === undefined) refused.push(trimmed)
    else directives.push(directive)
  }
  return { directives, refused }
}

/** What a target may begin with; the rest of it is anything but `=` and `[`. Tables of Unicode are read for other letters only. */
function startsTarget(text: string): boolean {
  return /^[-:\w]/.test(text) || /^[\p{Alphabetic}\p{N}]/u.test(text)
}

function parseDirective(text: string): Directive | undefined {
  if (!text.startsWith('[') && !startsTarget(text)) return undefined
  const end = text.search(/[=[]/)
  if (end === -1) {
    const level = toLevel(text)
    // A target without a level lets everything of it through.
    return level === undefined ? plain(text, 'trace') : plain(null, level)
  }
  const target = end === 0 ? null : text.slice(0, end)
  if (text[end] === '=') {
    const level = levelAfter(text.slice(end))
    return level === undefined ? undefined : plain(target, level)
  }
  return parseSpanDirective(target, text.slice(end + 1))
}

/** `rest` is what follows the opening bracket: `span{field,…}]=level`, each part optional but the closing bracket. */
function parseSpanDirective(target: string | null, rest: string): Directive | undefined {
  const end = rest.search(/[\]{]/)
  if (end === -1) return undefined
  const name = rest.slice(0, end)
  if (rest[end] === ']') return withSpan(target, name, [], rest.slice(end + 1))
  const close = rest.indexOf('}', end)
  if (close === -1 || rest[close + 1] !== ']') return undefined
  const fields = rest.slice(end + 1, close).split(',')
  if (fields.includes('')) return undefined
  return withSpan(target, name === '' ? null : name, fields, rest.slice(close + 2))
}

function withSpan(
  target: string | null,
  span: string | null,
  fields: readonly string[],
  tail: string,
): Directive | undefined {
  const level = levelAfter(tail)
  return level === undefined ? undefined : { target, level, span, fields }
}

/** The level in `=level`; `=` and nothing at all both mean everything. */
function levelAfter(tail: string): FilterLevel | undefined {
  if (tail === '' || tail === '=') return 'trace'
  return tail.startsWith('=') ? toLevel(tail.slice(1)) : undefined
}

const numbered: readonly FilterLevel[] = ['off', 'error', 'warn', 'info', 'debug', 'trace']

function toLevel(text: string): FilterLevel | undefined {
  if (/^\+?[0-9]+$/.test(text)) return numbered[Number(text)]
  const lower = text.toLowerCase()
  return numbered.find((level) => level === lower)
}

function plain(target: string | null, level: FilterLevel): Directive {
  return { target, level, span: null, fields: [] }
}
