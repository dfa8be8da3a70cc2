/** The head of a run in a header of each message: ASCII JSON, so that no character ends the header. */
import type { Msg, MsgHdrs } from '@nats-io/transport-node'
import type { RunRecord } from '../../realtime/runs/api.ts'
import type { RunHead } from '../../realtime/runs/shared/api.ts'
import { logOf } from './names.ts'

const name = 'Svc-Run'

/**
 * The version of a head. A later version may add members and changes no existing one. When a node appends, it copies
 * the members of `record` that it does not know. Members beside `record` describe one message, and are not copied: they
 * might be false of another one. A head without a version is of version 1.
 */
const VERSION = 1

/** Writes a head into the headers of a message. */
export function writeHead(headers: MsgHdrs, { id, record, bytes, gone, caller }: RunHead): void {
  const text = JSON.stringify({ v: VERSION, id, record, bytes, gone, caller })
  headers.set(
    name,
    text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/**
 * Reads the head of a message of the stream of the runs; undefined if no node wrote the message. Everything is
 * validated that a node uses, and that the run belongs to the subject.
 */
export function readHead({ headers, subject }: Msg): RunHead | undefined {
  try {
    const head = JSON.parse(headers?.get(name) ?? '') as RunHead
    const { id, bytes, gone, caller = '' } = head
    const record = { ...unwritten, ...head.record }
    const isWhole = [id, caller].every(isText) && isCount(bytes) && typeof gone === 'boolean' && isRecord(record)
    return isWhole && logOf(record) === subject ? { ...head, record } : undefined
  } catch {
    return undefined
  }
}

/** Members of a record that an older version of svc has not written. */
const unwritten = { agent: null, error: null }

const statuses: readonly unknown[] = ['running', 'finished', 'failed', 'cancelled'] satisfies RunRecord['status'][]

function isRecord({ run_id, thread_id, owner, status, epoch, agent, error, ...numbers }: RunRecord): boolean {
  const { created_at_ms, ended_at_ms, first_seq, last_seq } = numbers
  return (
    [run_id, thread_id, epoch].every(isText) &&
    [owner.user_id, owner.tenant_id, agent].every(isTextOrNull) &&
    (error === null || (isTextOrNull(error.code) && isText(error.message))) &&
    statuses.includes(status) &&
    [created_at_ms, ended_at_ms ?? 0, first_seq, last_seq].every(isCount) &&
    (status === 'running') === (ended_at_ms === null) &&
    first_seq <= last_seq + 1
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
