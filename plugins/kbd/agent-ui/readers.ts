/** The readers of a project, and the snapshots that they hold. */

/** An open stream. Its owner sends the heartbeats, limits its age, and ends it if it stalls for too long. */
export interface FollowerConnection {
  readonly ready: boolean
  readonly closed: boolean
  send(chunk: Uint8Array): boolean
  sendFirst(chunk: Uint8Array): void
  onResume(listener: () => void): void
  onClose(listener: () => void): void
  end(last?: Uint8Array): void
}

/** One reader of a project. */
export interface Reader {
  readonly connection: FollowerConnection
  /** The revision that the reader was sent; undefined before its snapshot. */
  revision: number | undefined
  isReading: boolean
  /** The snapshot that the reader was sent, if parts of it may still be buffered. */
  holds: Whole | undefined
}

/** The whole project as one event, in pieces that all readers share. */
export interface Whole {
  readonly revision: number
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
}

/**
 * Ends streams of readers that hold former snapshots, the oldest snapshots first, until the remaining ones fit in
 * `maxBytes`.
 */
export function endLongestStalled(readers: Iterable<Reader>, present: Whole, maxBytes: number): void {
  const held = new Map<Whole, Reader[]>()
  for (const reader of readers) {
    const { holds, connection } = reader
    if (holds === undefined || holds === present) continue
    if (connection.ready) reader.holds = undefined
    else held.set(holds, [...(held.get(holds) ?? []), reader])
  }
  let sum = [...held.keys()].reduce((bytes, one) => bytes + one.bytes, 0)
  for (const [whole, stalled] of [...held].sort(([one], [other]) => one.revision - other.revision)) {
    if (sum <= maxBytes) return
    for (const { connection } of stalled) connection.end()
    sum -= whole.bytes
  }
}
