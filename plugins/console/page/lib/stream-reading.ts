/** What is known of a datum that arrives as a stream. */
import { useEffect, useRef } from 'preact/hooks'
import type { StreamReason } from '../../../client/index.ts'
import { connection } from './console-fetch.ts'
import type { Reading } from './reading.ts'
import { ServiceError } from './service.ts'

/** The state of a stream, and the data that it has delivered so far. */
export interface StreamedData<T> {
  readonly data: T
  readonly state: 'connecting' | 'open' | 'waiting' | 'stopped' | (string & {})
  readonly reason: StreamReason | undefined
  /** The message for status 404. */
  readonly missing: string
}

/** The reading of a stream. A stream that has never been open has delivered nothing: then there is no datum. */
export function useStreamReading<T>({ data, state, reason, missing }: StreamedData<T>): Reading<T> {
  const lastState = useRef<{ wasOpen: boolean; atMs: number | undefined }>({ wasOpen: false, atMs: undefined })
  const isOpen = state === 'open'
  const isAtEnd = state === 'stopped' && (reason?.status ?? 0) < 400
  if (isOpen || lastState.current.wasOpen || (isAtEnd && lastState.current.atMs === undefined))
    lastState.current = { wasOpen: isOpen, atMs: Date.now() }
  useEffect(() => {
    if (reason?.code === 'service_away') connection.value = 'away'
  }, [reason])
  const { atMs } = lastState.current
  const error = isOpen || isAtEnd ? undefined : toError(reason, atMs !== undefined, missing)
  return { data: atMs === undefined ? undefined : data, error, atMs }
}

function toError(reason: StreamReason | undefined, wasOpen: boolean, missing: string): ServiceError | undefined {
  if (reason?.status === undefined || reason.status < 400 || reason.code === 'service_away')
    return wasOpen || reason !== undefined
      ? new ServiceError(0, 'stream_interrupted', 'The stream is interrupted. The page connects again.')
      : undefined
  const { status, code = 'refused', text } = reason
  return new ServiceError(status, code, status === 404 ? missing : `The service refuses the stream: ${text}.`)
}
