import type { LiveFeeds, SnapshotEntry } from '../live/api.ts'
import { controlTopic, encodeEntity } from '../live/hub.ts'
import type { OpenStream } from '../streams/api.ts'

/** The reader of a bridge stream. */
export interface BridgeReader {
  readonly tenant: string | null
  readonly user: string | null
  readonly scopes: readonly string[]
}

/**
 * Sends an embedded store everything that it needs to follow the tenant: for each topic a `reset` and the content of
 * the topic, then `ready`, then every change since then, each once. If a reader falls so far behind that a change is
 * lost, its stream ends; when it reconnects, it starts from a snapshot again.
 */
export async function bridge(
  connection: OpenStream,
  hub: LiveFeeds,
  reader: BridgeReader,
  onDropped: (events: number) => void,
): Promise<void> {
  const feed = hub.feed(reader.tenant)
  const hidden = hub.hiddenFrom(reader.scopes)
  /** By topic, the sequence up to which its snapshot contains the changes. */
  const contained = new Map<string | undefined, number>()
  const attached = feed.attach(connection, {
    from: feed.ring.next,
    user: reader.user,
    hidden,
    held: true,
    accepts: ({ topic }, sequence) => sequence > (contained.get(topic) ?? 0),
    onLag: () => null,
    onDropped,
  })
  connection.onClose(() => hub.leave(reader.tenant))
  await hub.ready(reader.tenant)
  for (const topic of hub.topics) {
    if (hidden.has(topic)) continue
    const snapshot = hub.snapshotOf(topic)
    // A topic without a snapshot cannot be filled, but the store must learn that it may have missed changes.
    connection.sendFirst(encodeEntity(controlTopic, topic, 'reset', { snapshot: snapshot !== undefined }))
    if (snapshot === undefined) continue
    const mark = (): void => void contained.set(topic, feed.ring.next - 1)
    mark()
    for await (const { identifier, data } of (await snapshot(reader, mark)) as AsyncIterable<SnapshotEntry>) {
      connection.sendFirst(encodeEntity(topic, identifier, 'insert', data))
      if (!connection.ready) await connection.caughtUp()
      if (connection.closed) return
    }
  }
  // If events were lost meanwhile, `release` ends the stream.
  if (attached.dropped === 0) connection.sendFirst(encodeEntity(controlTopic, 'stream', 'ready', null))
  feed.release(attached)
}
