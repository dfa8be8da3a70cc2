/** Decides which records are wanted, by the level that the filter gives to their target. */
import type { LogLevel } from '../../../core/log.ts'
import { type FilterLevel, parseDirectives } from './directives.ts'

/** What applies where `RUST_LOG` is not set. */
export const defaultFilter = 'info,svc=debug'

/** A filter ready to be asked, and what there is to say about its text. */
export interface LevelFilter {
  enabled(level: LogLevel, target: string): boolean
  /** One sentence for each kind of thing in the text that has no effect. */
  readonly diagnostics: readonly string[]
}

/**
 * Makes a filter of `RUST_LOG` text. The directive whose target is the longest string prefix of the record's target
 * decides, the later of two for the same target wins, no match means off, and a text without any directive means
 * `error`, as in tracing. There are no spans to ask about here, so directives that name a span or a field are set aside.
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
  const known = new Map<string, number>()

  const limitOf = (target: string): number => {
    const limit = prefixes.find(([prefix]) => target.startsWith(prefix))?.[1] ?? rank.off
    if (known.size < KNOWN_TARGETS) known.set(target, limit)
    return limit
  }
  return {
    enabled: (level, target) => rank[level] <= (known.get(target) ?? limitOf(target)),
    diagnostics: diagnose(refused, spans),
  }
}

/** Targets are written in code, so there are dozens; the bound only keeps a target made of data from growing the map. */
const KNOWN_TARGETS = 1_000

const rank: Readonly<Record<FilterLevel, number>> = { off: 0, error: 1, warn: 2, info: 3, debug: 4, trace: 5 }

function diagnose(refused: readonly string[], spans: number): string[] {
  const found: string[] = []
  if (refused.length > 0) {
    found.push(`RUST_LOG: skipped what is no directive: ${refused.map((piece) => JSON.stringify(piece)).join(', ')}.`)
  }
  if (spans > 0) found.push('RUST_LOG: directives for spans and fields have no effect here; use target=level.')
  return found
}
