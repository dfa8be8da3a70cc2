import type { OpenStream, SnapshotEntry } from '../api.ts'
import type { LiveFeeds } from '../live/api.ts'
import { controlTopic, encodeEntity } from '../live/hub.ts'

/** Who reads through the bridge. */
export interface BridgeReader {
  readonly tenant: string | null
  readonly user: string | null
  readonly scopes: readonly string[]
}

/**
 * Sends an embedded store everything it needs to follow the tenant: for each topic a `reset` and what the topic holds,
 * then `ready`, then every change since, each once. A reader that falls so far behind that a change is lost is ended:
 * coming back, it starts from a snapshot again.
 */
export async function bridge(
  connection: OpenStream,
  hub: LiveFeeds,
  reader: BridgeReader,
  onDropped: (events: number) => void,
): Promise<void> {
  const feed = hub.feed(reader.tenant)
  const hidden = hub.hiddenFrom(reader.scopes)
  /** Up to which sequence each topic's snapshot contains its changes. */
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
  for (const topic of hub.topics) {
    if (hidden.has(topic)) continue
    const snapshot = hub.snapshotOf(topic)
    // Without a snapshot the store cannot be filled from here, but it must know that it may have missed changes.
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
  // What was lost meanwhile is found out by the release, which then ends the stream instead.
  if (attached.dropped === 0) connection.sendFirst(encodeEntity(controlTopic, 'stream', 'ready', null))
  feed.release(attached)
}
