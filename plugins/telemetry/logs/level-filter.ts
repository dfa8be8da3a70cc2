/** Filters records by the level of their target. */
import type { LogLevel } from '../../../core/kernel/log.ts'
import { type FilterLevel, parseDirectives } from './directives.ts'

/** The filter without `RUST_LOG`. */
export const defaultFilter = 'info,svc=debug'

/** A parsed filter. */
export interface LevelFilter {
  enabled(level: LogLevel, target: string): boolean
  /** One sentence for each kind of directive without effect. */
  readonly diagnostics: readonly string[]
}

/**
 * Creates a filter from `RUST_LOG` text, with the rules of Rust's `tracing`. The directive with the longest prefix of
 * the record's target applies; of two directives for the same target the later one. A record without a matching
 * directive is dropped. A text without directives means `error`. Records have no spans here, so directives with a span
 * or a field are skipped.
 */
export function createLevelFilter(text: string): LevelFilter {
  const { directives, refused } = parseDirectives(text)
  const levels = new Map<string, number>()
  let spans = 0
  for (const { target, level, span, fields } of directives) {
    if (span !== null || fields.length > 0) spans++
    else levels.set(target ?? '', rank[level])
  }
  if (levels.size === 0) levels.set('', rank.error)
  const prefixes = [...levels].sort(([a], [b]) => b.length - a.length)
  const limits = new Map<string, number>()

  const limitOf = (target: string): number => {
    const limit = prefixes.find(([prefix]) => target.startsWith(prefix))?.[1] ?? rank.off
    if (limits.size < KNOWN_TARGETS) limits.set(target, limit)
    return limit
  }
  return {
    enabled: (level, target) => rank[level] <= (limits.get(target) ?? limitOf(target)),
    diagnostics: diagnose(refused, spans),
  }
}

/** Maximum number of cached targets. Code has dozens of targets; the limit protects against targets made from data. */
const KNOWN_TARGETS = 1_000

const rank: Readonly<Record<FilterLevel, number>> = { off: 0, error: 1, warn: 2, info: 3, debug: 4, trace: 5 }

function diagnose(refused: readonly string[], spans: number): string[] {
  const diagnostics: string[] = []
  if (refused.length > 0) {
    diagnostics.push(
      `RUST_LOG: skipped what is no directive: ${refused.map((piece) => JSON.stringify(piece)).join(', ')}.`,
    )
  }
  if (spans > 0) diagnostics.push('RUST_LOG: directives for spans and fields have no effect here; use target=level.')
  return diagnostics
}
