/**
 * Draws what is known of a datum: loading, fresh, stale with its age, unknown, empty, no match, or refused with what to
 * do.
 */
import type { ComponentChildren, JSX } from 'preact'
import { connection, lostAtMs } from '../lib/console-fetch.ts'
import { clockTime } from '../lib/format.ts'
import { isNoAnswer, knowledgeOf, type Reading } from '../lib/reading.ts'
import { Ago, Refusal } from './parts.tsx'

/** A datum and how it is drawn. */
export interface DatumProps<T> {
  readonly of: Reading<T>
  /** What it is, in the plural or with its article, as a part of a sentence: `the runs`. */
  readonly name: string
  /** Drawn in place of the datum where it is fresh and has nothing in it; undefined where it has something. */
  readonly empty?: (data: T) => ComponentChildren | undefined
  /** Whether a filter of the reader leaves nothing. */
  readonly hasNoMatch?: (data: T) => boolean
  /** Whether the console reads it without the service, so that it is fresh while the service does not answer. */
  readonly isOfConsole?: boolean
  readonly children?: (data: T) => ComponentChildren
}

/** Draws a datum. */
export function Datum<T>({ of, name, empty, hasNoMatch, isOfConsole = false, children }: DatumProps<T>): JSX.Element {
  const isAway = connection.value === 'ended' || (connection.value === 'away' && !isOfConsole)
  const knowledge = knowledgeOf(of, isAway)
  const { data, error } = of
  const isRefused = error !== undefined && !isNoAnswer(error)
  const isRead = of.atMs !== undefined
  const nothing = isRead ? empty?.(data as T) : undefined
  return (
    <>
      {knowledge === 'loading' && (
        <p class="datum" role="status">
          Reading {name}…
        </p>
      )}
      {knowledge === 'unknown' && (
        <p class="datum datum-unknown" role="status">
          Not known: {name}. {connection.value === 'up' ? error?.message : awayText()}
        </p>
      )}
      {knowledge === 'stale' && (
        <p class="datum datum-stale" role="status">
          {nothing === undefined ? `Not the present state of ${name}` : `Not known: ${name}`}
          {of.atMs !== undefined && (
            <>
              : read <Ago timeMs={of.atMs} />
              {nothing !== undefined && ', when there was nothing'}
            </>
          )}
          . {!isRefused && (connection.value === 'up' ? error?.message : awayText())}
        </p>
      )}
      {isRefused && <Refusal error={error} />}
      {knowledge === 'fresh' && nothing}
      {isRead && nothing === undefined && hasNoMatch?.(data as T) === true && (
        <p class="datum" role="status">
          Nothing in {name} matches.
        </p>
      )}
      {isRead && nothing === undefined && children?.(data as T)}
    </>
  )
}

/** Why nothing is known, and since when: for a sentence of its own. */
export function awayText(): string {
  const since = lostAtMs.value === undefined ? '' : ` since ${clockTime(lostAtMs.value).slice(0, 8)}`
  return connection.value === 'ended'
    ? `The console has ended; nothing is read${since}.`
    : `The service has not answered${since}.`
}
