/** One project that has readers: its mirror, its log of encoded commands, and the state of each reader. */
import type { Applied } from '../api.ts'
import { EventLog } from './event-log.ts'
import { encodeEvents, eventsOf, snapshotFrame } from './events.ts'
import { createMirror, type Mirror, type MirrorStart } from './mirror.ts'
import { endLongestStalled, type FollowerConnection, type Reader, type Whole } from './readers.ts'

/** The parts of a followed project. */
export interface FollowedProjectOptions {
  /** The present state of the project, not older than the last command that was passed to `applied`. */
  readonly snapshot: () => Promise<MirrorStart & { readonly bytes: Uint8Array }>
  /** See `FollowersOptions`. */
  readonly maxBytes: number
  readonly maxHeldBytes: number
  readonly onError: (error: unknown) => void
  /** Called once the last reader has gone. */
  readonly onEmpty: () => void
}

/** A project with its readers. */
export class FollowedProject {
  readonly #options: FollowedProjectOptions
  readonly #readers = new Set<Reader>()
  readonly #log: EventLog
  #mirror: Mirror | undefined
  /** Commands that came while there was no mirror. */
  #early: Applied[] = []
  #snapshot: Whole | undefined
  #reading: Promise<Whole> | undefined

  constructor(options: FollowedProjectOptions) {
    this.#options = options
    this.#log = new EventLog(options.maxBytes)
  }

  /** Adds a reader. `opening` is its first event. */
  add(connection: FollowerConnection, opening: string): void {
    const reader: Reader = { connection, revision: undefined, isReading: false, holds: undefined }
    this.#readers.add(reader)
    connection.sendFirst(encodeEvents([opening]))
    connection.onResume(() => this.#pump(reader))
    connection.onClose(() => {
      this.#readers.delete(reader)
      if (this.#readers.size === 0) this.#options.onEmpty()
      else this.#trim()
    })
    this.#pump(reader)
  }

  /** Sends the next command of the project. */
  applied(applied: Applied): void {
    if (this.#mirror === undefined) this.#early.push(applied)
    else this.#append(this.#mirror, applied)
    // Readers that are still being sent the snapshot hold it. New readers get a newer one.
    if (this.#snapshot?.revision !== this.#mirror?.revision) this.#snapshot = undefined
    for (const reader of this.#readers) this.#pump(reader)
    this.#trim()
  }

  #append(mirror: Mirror, applied: Applied): void {
    try {
      const texts = eventsOf(mirror, applied)
      if (texts !== undefined) this.#log.add({ revision: applied.revision, bytes: encodeEvents(texts) })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // Commands were missed: every reader gets the whole project again.
      this.#mirror = this.#snapshot = undefined
      this.#log.clear()
      for (const reader of this.#readers) reader.revision = undefined
    }
  }

  /** Removes the commands that every reader has, and the oldest ones if the log is too large. */
  #trim(): void {
    this.#log.trim(Math.min(...[...this.#readers].map(({ revision }) => revision ?? 0)))
  }

  /** Sends a reader the commands after its revision, or the whole project if the log does not have all of them. */
  #pump(reader: Reader): void {
    const { connection } = reader
    while (connection.ready && !reader.isReading) {
      const { revision } = reader
      const newest = this.#mirror?.revision
      if (newest === undefined || revision === undefined || !this.#log.continues(revision, newest)) {
        void this.#sendWhole(reader)
        return
      }
      const next = this.#log.after(revision)
      if (next === undefined) return
      reader.revision = next.revision
      connection.send(next.bytes)
    }
  }

  async #sendWhole(reader: Reader): Promise<void> {
    reader.isReading = true
    try {
      this.#reading ??= this.#readWhole().finally(() => (this.#reading = undefined))
      const whole = await this.#reading
      reader.revision = whole.revision
      reader.holds = whole
      for (const piece of whole.pieces) reader.connection.sendFirst(piece)
    } catch (error) {
      this.#options.onError(error)
      reader.connection.end()
    }
    reader.isReading = false
    this.#pump(reader)
  }

  /** The whole project, read once for all readers that need it. */
  async #readWhole(): Promise<Whole> {
    if (this.#snapshot !== undefined && this.#snapshot.revision === this.#mirror?.revision) return this.#snapshot
    const read = await this.#options.snapshot()
    const { revision } = read.standing
    const whole: Whole = { revision, pieces: snapshotFrame(read.bytes), bytes: read.bytes.length }
    this.#snapshot = whole
    endLongestStalled(this.#readers, whole, this.#options.maxHeldBytes)
    if (this.#mirror === undefined) {
      this.#mirror = createMirror(read)
      const early = this.#early
      this.#early = []
      // A gap among these commands takes the mirror away.
      for (const applied of early) if (this.#mirror !== undefined) this.#append(this.#mirror, applied)
    }
    return whole
  }
}
