/** The log of the live view: the newest events, and the number of all events. */
import type { LiveEvent } from '../../../../client/index.ts'

/** Number of events that are kept. Older events are dropped, and still count. */
const KEPT = 5_000
/** Number of characters of data that are kept. */
const KEPT_CHARACTERS = 32 * 1_024 * 1_024

/** An event with the time of its arrival. */
export interface Arrived {
  readonly event: LiveEvent
  /** Unix time in milliseconds, by the clock of the reader. */
  readonly atMs: number
  /** The data as JSON. */
  readonly text: string
}

/** An event in the log. */
export interface Logged extends Arrived {
  /** The number of the event since the view was opened, from 1. */
  readonly number: number
}

/** Adds the time of arrival to an event. */
export function arrived(event: LiveEvent): Arrived {
  return { event, atMs: Date.now(), text: JSON.stringify(event.data) ?? '' }
}

/** The filter of the events that are shown. */
export interface Filter {
  /** Undefined for all topics. */
  readonly topic: string | undefined
  /** A part of the identifier, the operation or the data, in lower case. */
  readonly text: string
}

/** The present content of the log. */
export interface LiveLog {
  readonly total: number
  /** The number of events by topic, the largest number first. */
  readonly topics: readonly (readonly [topic: string, count: number])[]
  /** The kept events that match the filter, the oldest first. */
  readonly shown: readonly Logged[]
  /** The number of events that the server dropped because this reader was too slow. Unknown numbers count as 0. */
  readonly dropped: number
}

/** A log to which events are added. */
export interface LiveLogBuilder {
  add(arrived: Arrived): void
  setFilter(filter: Filter): void
  clear(): void
  now(): LiveLog
}

/** Creates an empty log. */
export function createLiveLog(): LiveLogBuilder {
  let events: Logged[] = []
  let shown: Logged[] = []
  let characters = 0
  const counts = new Map<string, number>()
  let total = 0
  let dropped = 0
  let matches = toMatcher({ topic: undefined, text: '' })
  /** Drops the oldest events. Called only at twice the limit, so that not every new event copies the whole list. */
  const trim = (): void => {
    let from = Math.max(0, events.length - KEPT)
    for (const { text } of events.slice(0, from)) characters -= text.length
    for (const { text } of events.slice(from)) {
      if (characters <= KEPT_CHARACTERS) break
      characters -= text.length
      from++
    }
    events = events.slice(from)
    const oldest = events[0]?.number ?? Infinity
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
      events.push(logged)
      characters += logged.text.length
      if (matches(logged)) shown.push(logged)
      if (events.length >= 2 * KEPT || characters >= 2 * KEPT_CHARACTERS) trim()
    },
    setFilter(filter) {
      matches = toMatcher(filter)
      shown = events.filter(matches)
    },
    clear() {
      events = []
      shown = []
      characters = 0
    },
    now: () => ({
      total,
      topics: [...counts].sort(([, a], [, b]) => b - a),
      shown: shown.slice(-KEPT),
      dropped,
    }),
  }
}

function toMatcher({ topic, text: part }: Filter): (logged: Logged) => boolean {
  const searchText = part.toLowerCase()
  return ({ event, text }) =>
    (topic === undefined || event.topic === topic) &&
    (searchText === '' ||
      [event.identifier, event.operation, text].some((member) => member.toLowerCase().includes(searchText)))
}
