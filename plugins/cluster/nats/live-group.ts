/** Events of one publisher in one topic that go out together: a line of JSON that says whose they are, then their bytes. */
import type { BusEvent } from '../../realtime/api.ts'

/** What stands before the events. */
export interface GroupHead {
  /** Who numbered the group, and its number. */
  readonly origin: string
  readonly n: number
  readonly tenant: string | null
  readonly topic: string
  /** The bytes of each event, and the only user who sees it where there is one. */
  readonly events: readonly (number | readonly [bytes: number, user: string | null])[]
}

/** Puts a group into a message. */
export function writeGroup(head: Omit<GroupHead, 'events' | 'topic'>, events: readonly BusEvent[]): Buffer {
  const sizes = events.map(({ bytes, user }) => (user === undefined ? bytes.length : [bytes.length, user]))
  const line = JSON.stringify([head.origin, head.n, head.tenant, events[0]!.topic, sizes])
  return Buffer.concat([Buffer.from(`${line}\n`), ...events.map(({ bytes }) => bytes)])
}

/** Reads one; undefined for what no node of this kind sent. */
export function readGroup(message: Uint8Array): { readonly head: GroupHead; readonly events: BusEvent[] } | undefined {
  const end = message.indexOf(10)
  const head = readHead(message.subarray(0, end))
  // A copy: what NATS gives is part of a larger buffer, which would live as long as the events.
  const bytes = new Uint8Array(message.subarray(end + 1))
  const events: BusEvent[] = []
  let at = 0
  for (const event of head?.events ?? []) {
    const [length, user] = Array.isArray(event) ? (event as [number, string | null]) : [event as number, undefined]
    if (!Number.isSafeInteger(length) || length < 0) return undefined
    const own = bytes.subarray(at, (at += length))
    events.push({ topic: head!.topic, bytes: own, ...(user !== undefined && { user }) })
  }
  return head !== undefined && at === bytes.length ? { head, events } : undefined
}

function readHead(bytes: Uint8Array): GroupHead | undefined {
  try {
    const line = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown
    if (!Array.isArray(line) || line.length !== 5 || !Array.isArray(line[4])) return undefined
    const [origin, n, tenant, topic, events] = line
    return { origin, n, tenant, topic, events }
  } catch {
    return undefined
  }
}
