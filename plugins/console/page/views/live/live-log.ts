/** What the live view keeps of the stream: the newest events, and counts of all. */
import type { LiveEvent } from '../../../../client/index.ts'

/** Events that are kept. Older ones are counted and forgotten. */
const KEPT = 5_000
/** Characters of data that are kept. */
const KEPT_CHARACTERS = 32 * 1_024 * 1_024

/** An event as it came in. */
export interface Arrived {
  readonly event: LiveEvent
  /** Unix time in milliseconds, by the clock of the reader. */
  readonly atMs: number
  /** The data as JSON. */
  readonly text: string
}

/** An event that is kept. */
export interface Logged extends Arrived {
  /** Which event it was since the view was opened; the first is 1. */
  readonly number: number
}

/** Notes when an event came. */
export function arrived(event: LiveEvent): Arrived {
  return { event, atMs: Date.now(), text: JSON.stringify(event.data) ?? '' }
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
  add(arrived: Arrived): void
  setFilter(filter: Filter): void
  clear(): void
  now(): LiveLog
}

/** Begins a log. */
export function createLiveLog(): LiveLogBuilder {
  let kept: Logged[] = []
  let shown: Logged[] = []
  let characters = 0
  const counts = new Map<string, number>()
  let total = 0
  let dropped = 0
  let matches = toMatcher({ topic: undefined, text: '' })
  /** Forgets the oldest. Twice as much is kept before they go, so that an event costs no copy of all. */
  const forget = (): void => {
    let from = Math.max(0, kept.length - KEPT)
    for (const { text } of kept.slice(0, from)) characters -= text.length
    for (const { text } of kept.slice(from)) {
      if (characters <= KEPT_CHARACTERS) break
      characters -= text.length
      from++
    }
    kept = kept.slice(from)
    const oldest = kept[0]?.number ?? Infinity
    shown = shown.filter(({ number }) => number >= oldest)
  }
  return {
    add(arrived) {
      const { topic, operation, data } = arrived.event
      total++
      counts.set(topic, (counts.get(topic) ?? 0) + 1)
      if (topic === '$svc' && operation === 'lagged')
        dropped += Number((data as { dropped?: number | null } | null)?.dropped ?? 0)
      const logged = { ...arrived, number: total }
      kept.push(logged)
      characters += logged.text.length
      if (matches(logged)) shown.push(logged)
      if (kept.length >= 2 * KEPT || characters >= 2 * KEPT_CHARACTERS) forget()
    },
    setFilter(filter) {
      matches = toMatcher(filter)
      shown = kept.filter(matches)
    },
    clear() {
      kept = []
      shown = []
      characters = 0
    },
    now: () => ({
      total,
      topics: [...counts].sort(([, one], [, other]) => other - one),
      shown: shown.slice(-KEPT),
      dropped,
    }),
  }
}

function toMatcher({ topic, text: part }: Filter): (logged: Logged) => boolean {
  const wanted = part.toLowerCase()
  return ({ event, text }) =>
    (topic === undefined || event.topic === topic) &&
    (wanted === '' || [event.identifier, event.operation, text].some((one) => one.toLowerCase().includes(wanted)))
}
