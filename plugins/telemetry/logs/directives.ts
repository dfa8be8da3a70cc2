/**
 * The directives of `RUST_LOG`, in the dialect of tracing's `EnvFilter`: `level`, `target`, `target=level`,
 * `target[span{field=value}]=level`, separated by commas.
 */
import type { LogLevel } from '../../../core/kernel/log.ts'

/** The least severe level that passes, or `off` for none. */
export type FilterLevel = LogLevel | 'off'

/** One parsed directive. */
export interface Directive {
  /** A prefix of the record's target; null stands for every target. */
  readonly target: string | null
  readonly level: FilterLevel
  /** Name of the span in the directive, or null. */
  readonly span: string | null
  /** Field conditions, not parsed. */
  readonly fields: readonly string[]
}

/** The result of parsing a filter text. */
export interface ParsedDirectives {
  /** The well-formed directives, in order. */
  readonly directives: readonly Directive[]
  /** The texts that are not directives. */
  readonly refused: readonly string[]
}

/** Parses a filter text. Directives that are not well formed are skipped and returned as `refused`. */
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

/**
 * Whether a text may begin a target. The Unicode tables are used only for characters beyond ASCII, because they are
 * slow.
 */
function startsTarget(text: string): boolean {
  return /^[-:\w]/.test(text) || /^[\p{Alphabetic}\p{N}]/u.test(text)
}

function parseDirective(text: string): Directive | undefined {
  if (!text.startsWith('[') && !startsTarget(text)) return undefined
  const end = text.search(/[=[]/)
  if (end === -1) {
    const level = toLevel(text)
    // A target without a level passes all records of the target.
    return level === undefined ? plain(text, 'trace') : plain(null, level)
  }
  const target = end === 0 ? null : text.slice(0, end)
  if (text[end] === '=') {
    const level = levelAfter(text.slice(end))
    return level === undefined ? undefined : plain(target, level)
  }
  return parseSpanDirective(target, text.slice(end + 1))
}

/** Parses `span{field,…}]=level`, the text after the opening bracket. Only the closing bracket is required. */
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

/** Returns the level in `=level`. A missing level means `trace`. */
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
