/**
 * Who follows which project. The readers of a project share one mirror and one log of encoded commands; a reader is the
 * revision that it has. One that is new, or so far behind that the log no longer has what follows, gets the whole
 * project: so a slow reader costs no memory, and never sees a state that was not.
 */
import type { Applied } from '../api.ts'
import { eventsOf, SNAPSHOT_EVENT } from './events.ts'
import { createMirror, type Mirror, type MirrorStart } from './mirror.ts'

/** An open stream as the keeper of streams hands it over; it beats, ages and cuts it. */
export interface FollowerConnection {
  readonly ready: boolean
  readonly closed: boolean
  send(chunk: Uint8Array): boolean
  sendFirst(chunk: Uint8Array): void
  onResume(listener: () => void): void
  onClose(listener: () => void): void
  end(last?: Uint8Array): void
}

/** What followers are given. */
export interface FollowersOptions {
  /** A project as it is now, not older than what `applied` was told; `bytes` are the body of GET project. */
  snapshot(project: string): Promise<MirrorStart & { readonly bytes: Uint8Array }>
  /** Bytes of commands that are kept for the readers of one project. */
  readonly maxBytes: number
  /** Bytes of former snapshots that stalled readers of one project may hold. The streams of the longest stalled end first. */
  readonly maxHeldBytes: number
  /** Told where a project could not be read; its readers were ended and may come back. */
  onError(error: unknown): void
}

/** The followers of all projects. */
export interface Followers {
  /** Sends a project and every command after it, from the opening event on. */
  follow(project: string, connection: FollowerConnection, opening: string): void
  /** Takes the next command of a project, once it is on disk. */
  applied(applied: Applied): void
  /** Projects that somebody follows. */
  readonly size: number
}

interface Reader {
  readonly connection: FollowerConnection
  /** What it has been sent; undefined before its snapshot was. */
  revision: number | undefined
  reading: boolean
  /** The snapshot that it is being sent, where that is not all with its transport yet. */
  holds: Whole | undefined
}

/** The whole project, in pieces that are shared by all who are sent it. */
interface Whole {
  readonly revision: number
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
}

interface Frame {
  readonly revision: number
  readonly bytes: Uint8Array
}

/** Makes them. */
export function createFollowers({ snapshot: look, maxBytes, maxHeldBytes, onError }: FollowersOptions): Followers {
  const projects = new Map<string, ReturnType<typeof createFollowed>>()

  const createFollowed = (project: string) => {
    const readers = new Set<Reader>()
    let mirror: Mirror | undefined
    /** Commands that came while there was no mirror to turn them. */
    let early: Applied[] = []
    /** Contiguous: each frame is one revision more than the one before. */
    let log: Frame[] = []
    let bytes = 0
    let snapshot: Whole | undefined
    let taking: Promise<Whole> | undefined

    const turn = (applied: Applied): void => {
      try {
        const texts = eventsOf(mirror!, applied)
        if (texts === undefined) return
        const frame = { revision: applied.revision, bytes: encodeEvents(texts) }
        log.push(frame)
        bytes += frame.bytes.length
      } catch (error) {
        // A gap: everybody starts anew.
        if (!(error instanceof RangeError)) throw error
        mirror = snapshot = undefined
        log = []
        bytes = 0
        for (const reader of readers) reader.revision = undefined
      }
    }

    /** Lets go what everybody has, and the oldest of what is too much. */
    const trim = (): void => {
      const needed = Math.min(...[...readers].map(({ revision }) => revision ?? 0))
      let drop = 0
      while (drop < log.length && (log[drop]!.revision <= needed || bytes > maxBytes))
        bytes -= log[drop++]!.bytes.length
      if (drop > 0) log.splice(0, drop)
    }

    /** The whole project, read once for all who wait for it. */
    const take = async (): Promise<Whole> => {
      if (snapshot !== undefined && snapshot.revision === mirror?.revision) return snapshot
      const read = await look(project)
      const { revision } = read.standing
      const pieces = [SNAPSHOT_START, read.bytes, SNAPSHOT_END]
      const taken = (snapshot = { revision, pieces, bytes: read.bytes.length })
      letGo()
      if (mirror === undefined) {
        mirror = createMirror(read)
        const waiting = early
        early = []
        for (const applied of waiting) if (mirror !== undefined) turn(applied)
      }
      return taken
    }

    /** Ends the streams of who holds former snapshots, the oldest first, until the others fit. */
    const letGo = (): void => {
      const held = new Map<Whole, Reader[]>()
      for (const reader of readers) {
        const { holds, connection } = reader
        if (holds === undefined || holds === snapshot) continue
        if (connection.ready) reader.holds = undefined
        else held.set(holds, [...(held.get(holds) ?? []), reader])
      }
      let sum = [...held.keys()].reduce((bytes, one) => bytes + one.bytes, 0)
      for (const [whole, stalled] of [...held].sort(([one], [other]) => one.revision - other.revision)) {
        if (sum <= maxHeldBytes) return
        for (const { connection } of stalled) connection.end()
        sum -= whole.bytes
      }
    }

    const read = async (reader: Reader): Promise<void> => {
      reader.reading = true
      try {
        taking ??= take().finally(() => (taking = undefined))
        const whole = await taking
        reader.revision = whole.revision
        reader.holds = whole
        for (const piece of whole.pieces) reader.connection.sendFirst(piece)
      } catch (error) {
        onError(error)
        reader.connection.end()
      }
      reader.reading = false
      pump(reader)
    }

    const pump = (reader: Reader): void => {
      const { connection } = reader
      while (connection.ready && !reader.reading) {
        const have = reader.revision
        // The log begins behind what it has, or nobody knows: the whole project helps.
        const first = log[0]?.revision ?? (mirror?.revision ?? 0) + 1
        if (mirror === undefined || have === undefined || have < first - 1) {
          void read(reader)
          return
        }
        const next = log[have + 1 - first]
        if (next === undefined) return
        reader.revision = next.revision
        connection.send(next.bytes)
      }
    }

    return {
      add(connection: FollowerConnection, opening: string): void {
        const reader: Reader = { connection, revision: undefined, reading: false, holds: undefined }
        readers.add(reader)
        connection.sendFirst(encodeEvents([opening]))
        connection.onResume(() => pump(reader))
        connection.onClose(() => {
          readers.delete(reader)
          if (readers.size === 0) projects.delete(project)
          else trim()
        })
        pump(reader)
      },
      applied(applied: Applied): void {
        if (mirror === undefined) early.push(applied)
        else turn(applied)
        // Who is still sent it holds it; whoever comes is sent a newer one.
        if (snapshot?.revision !== mirror?.revision) snapshot = undefined
        for (const reader of readers) pump(reader)
        trim()
      },
    }
  }

  return {
    follow(project, connection, opening) {
      let followed = projects.get(project)
      if (followed === undefined) projects.set(project, (followed = createFollowed(project)))
      followed.add(connection, opening)
    },
    applied: (applied) => projects.get(applied.project)?.applied(applied),
    get size() {
      return projects.size
    },
  }
}

const encoder = new TextEncoder()
const SNAPSHOT_START = encoder.encode(`data: ${SNAPSHOT_EVENT[0]}`)
const SNAPSHOT_END = encoder.encode(`${SNAPSHOT_EVENT[1]}\n\n`)

/** Events as frames of one `data:` line each: JSON has no line break of its own. */
export function encodeEvents(events: readonly string[]): Uint8Array {
  return encoder.encode(events.map((event) => `data: ${event}\n\n`).join(''))
}
