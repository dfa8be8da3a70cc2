/**
 * Bodies of plain replies that clients have not read yet. A client that stops reading makes the service keep the body,
 * so all of them together are bounded.
 */

/** Largest body in bytes that is not counted here: the operating system takes most of it. */
export const COUNTED_BYTES = 65_536

/** How long a client may read nothing of a counted body before its connection is closed, in milliseconds. */
export const UNREAD_MS = 30_000

/** Most bytes of bodies that wait for clients, in one process. A body that several clients read counts once. */
const MAX_UNREAD_BYTES = 67_108_864

/** A body on its way to one client. */
export interface Unread {
  /** The client has read a part of it. */
  progress(): void
  /** The body is sent, or the client is gone. */
  release(): void
}

/**
 * Counts a body from now on. If all of them are too large together, the clients that have read nothing for the longest
 * time lose their connections: `close` is called. The newest body may always be sent.
 */
export function holdUnread(body: Uint8Array, close: () => void): Unread {
  const entry: Entry = { body, close }
  entries.add(entry)
  const readers = counts.get(body) ?? 0
  counts.set(body, readers + 1)
  if (readers === 0) sum += body.byteLength
  for (const longest of entries) {
    if (sum <= MAX_UNREAD_BYTES || longest === entry) break
    release(longest)
    longest.close()
  }
  return {
    progress: () => {
      // A set is in the order of insertion: the client that has read nothing for the longest time is the first.
      if (entries.delete(entry)) entries.add(entry)
    },
    release: () => release(entry),
  }
}

interface Entry {
  readonly body: Uint8Array
  readonly close: () => void
}

const entries = new Set<Entry>()
const counts = new Map<Uint8Array, number>()
let sum = 0

function release(entry: Entry): void {
  if (!entries.delete(entry)) return
  const { body } = entry
  const readers = counts.get(body)
  if (readers !== undefined && readers > 1) counts.set(body, readers - 1)
  else {
    counts.delete(body)
    sum -= body.byteLength
  }
}
