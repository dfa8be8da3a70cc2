/** What the live view keeps of the stream: the newest events, and counts of all. */
import type { LiveEvent } from '../../../../client/index.ts'

/** Events that are kept. Older ones are counted and forgotten. */
const KEPT = 5_000

/** An event, with when it came and which one it was. */
export interface Logged extends LiveEvent {
  readonly number: number
  /** Unix time in milliseconds, by the clock of the reader. */
  readonly atMs: number
}

/** Which events are shown. */
export interface Filter {
  /** Undefined for all topics. */
  readonly topic: string | undefined
  /** A part of the identifier, the operation or the data, in lower case. */
  readonly text: string
}

/** The log as it is now. */
export interface LiveLog {
  readonly total: number
  /** Events by topic, the topic with the most first. */
  readonly topics: readonly (readonly [topic: string, count: number])[]
  /** The kept events that the filter lets through, oldest first. */
  readonly shown: readonly Logged[]
  /** Events that the server dropped because this reader was too slow, as far as it said how many. */
  readonly dropped: number
}

/** A log that grows. */
export interface LiveLogBuilder {
  add(event: LiveEvent, atMs: number): void
  setFilter(filter: Filter): void
  clear(): void
  now(): LiveLog
}

/** Begins a log. */
export function createLiveLog(): LiveLogBuilder {
  let kept: Logged[] = []
  let shown: Logged[] = []
  const counts = new Map<string, number>()
  let total = 0
  let dropped = 0
  let matches = toMatcher({ topic: undefined, text: '' })
  return {
    add(event, atMs) {
      total++
      counts.set(event.topic, (counts.get(event.topic) ?? 0) + 1)
      if (event.topic === '$svc' && event.operation === 'lagged')
        dropped += Number((event.data as { dropped?: number | null } | null)?.dropped ?? 0)
      const logged = { ...event, number: total, atMs }
      kept.push(logged)
      if (matches(logged)) shown.push(logged)
      // Twice as many before the oldest go, so that an event costs no copy of all.
      if (kept.length >= 2 * KEPT) {
        kept = kept.slice(-KEPT)
        const oldest = kept[0]!.number
        shown = shown.filter(({ number }) => number >= oldest)
      }
    },
    setFilter(filter) {
      matches = toMatcher(filter)
      shown = kept.filter(matches)
    },
    clear() {
      kept = []
      shown = []
    },
    now: () => ({
      total,
      topics: [...counts].sort(([, one], [, other]) => other - one),
      shown: shown.slice(-KEPT),
      dropped,
    }),
  }
}

function toMatcher({ topic, text }: Filter): (event: LiveEvent) => boolean {
  const wanted = text.toLowerCase()
  return (event) =>
    (topic === undefined || event.topic === topic) &&
    (wanted === '' ||
      event.identifier.toLowerCase().includes(wanted) ||
      event.operation.toLowerCase().includes(wanted) ||
      (JSON.stringify(event.data) ?? '').toLowerCase().includes(wanted))
}
