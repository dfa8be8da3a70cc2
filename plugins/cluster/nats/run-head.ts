/** The head of a run in a header of each message: ASCII JSON, so that no character ends the header. */
import type { Msg, MsgHdrs } from '@nats-io/transport-node'
import type { RunHead } from '../../realtime/api.ts'

const name = 'Svc-Run'

/**
 * The version of a head. A later version may add members and changes no existing one. When a node appends, it copies the members
 * of `record` that it does not know. Members beside `record` describe one message, and are not copied: they might be false of
 * another one. A head without a version is of version 1.
 */
const VERSION = 1

/** Writes a head into the headers of a message. */
export function writeHead(headers: MsgHdrs, { id, record, bytes, gone }: RunHead): void {
  const text = JSON.stringify({ v: VERSION, id, record, bytes, gone })
  headers.set(
    name,
    text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Reads the head of a message; undefined if no node wrote the message. */
export function readHead({ headers }: Msg): RunHead | undefined {
  try {
    const head = JSON.parse(headers?.get(name) ?? '') as RunHead
    return Number.isSafeInteger(head.record.last_seq) ? head : undefined
  } catch {
    return undefined
  }
}
