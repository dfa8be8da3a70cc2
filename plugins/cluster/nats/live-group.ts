/** Messages of entity events: a line of JSON with publisher, tenant, topic and sizes, then the bytes of the events. */
import type { BusEvent } from '../../realtime/live/api.ts'

/** The beginning of an event in the stream of a reader. */
const FIELD = Buffer.from('data: ')

/** The line before the events. */
export interface GroupHead {
  /** The publisher, and its number of the message. */
  readonly origin: string
  readonly n: number
  readonly tenant: string | null
  readonly topic: string
  /** The bytes of each event, and the only user who may see it if there is one. */
  readonly events: readonly (number | readonly [bytes: number, user: string | null])[]
}

/** Puts a group into a message. */
export function writeGroup(head: Omit<GroupHead, 'events'>, events: readonly BusEvent[]): Buffer {
  const sizes = events.map(({ bytes, user }) => (user === undefined ? bytes.length : [bytes.length, user]))
  const line = JSON.stringify([head.origin, head.n, head.tenant, head.topic, sizes])
  return Buffer.concat([Buffer.from(`${line}\n`), ...events.map(({ bytes }) => bytes)])
}

/** Reads a group from a message; undefined if no node wrote the message. */
export function readGroup(message: Uint8Array): { readonly head: GroupHead; readonly events: BusEvent[] } | undefined {
  const end = message.indexOf(10)
  const head = readHead(message.subarray(0, end))
  // A copy, because the message is part of a larger buffer, which would stay in memory as long as the events.
  const bytes = new Uint8Array(message.subarray(end + 1))
  const events: BusEvent[] = []
  let at = 0
  if (head === undefined) return undefined
  for (const event of head.events) {
    const [length, user] = Array.isArray(event) ? (event as [number, string | null]) : [event as number, undefined]
    if (!Number.isSafeInteger(length) || length < 0 || !(user === undefined || isName(user))) return undefined
    const eventBytes = bytes.subarray(at, (at += length))
    events.push({ topic: head.topic, bytes: eventBytes, ...(user !== undefined && { user }) })
  }
  return at === bytes.length ? { head, events } : undefined
}

/** Later versions add members at the end of the line. */
function readHead(bytes: Uint8Array): GroupHead | undefined {
  try {
    const line = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown
    if (!Array.isArray(line) || line.length < 5 || !Array.isArray(line[4])) return undefined
    const [origin, n, tenant, topic, events] = line
    const isWhole = typeof origin === 'string' && Number.isSafeInteger(n) && isName(tenant) && typeof topic === 'string'
    if (!isWhole) return undefined
    return { origin, n, tenant, topic, events }
  } catch {
    return undefined
  }
}

/** Whether the bytes of an event are what a reader's stream gets: one line of data, and the end of the event. */
export function isEvent({ bytes }: BusEvent): boolean {
  const end = bytes.length - 2
  return (
    FIELD.every((byte, at) => bytes[at] === byte) &&
    bytes.indexOf(10) === end &&
    bytes[end + 1] === 10 &&
    !bytes.includes(13)
  )
}

/** Whether a value can be the name of a user or tenant. */
function isName(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
