/** Keeps the preludes of a run (prelude-events.ts), so that all readers that join at one position share one. */
import type { Awaitable } from '../../../../core/kernel/values.ts'
import type { Ring } from '../../streams/ring.ts'
import { encodeJson } from '../../streams/sse.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { jsonPieces } from '../json-pieces.ts'
import type { RunPoint } from '../run-point.ts'
import type { Slices } from '../slices.ts'
import { EVENTS_BEFORE_GAP, preludeEvents } from './prelude-events.ts'

/** The prelude of a state of at most this many bytes is made at once; that of a larger one in slices. */
const atOnce = 131_072

/** Most bytes of kept preludes. The newest one is kept even if it is larger. */
const keptBytes = 1_048_576

/** A prelude as bytes. `writePrelude` adds its id and the gap event. */
export interface Prelude {
  readonly bytes: number
  /** The frames, each in pieces without its `id` line. */
  readonly frames: readonly (readonly Uint8Array[])[]
  /** The number of holders: readers that have not received all of it, and the run itself. */
  holders: number
}

/** What preludes need. */
export interface PreludeSource {
  readonly ring: Ring
  /** The state of the run before the oldest retained event, and its present state. */
  readonly base: RunPoint
  readonly head: RunPoint
  readonly slices: Slices
  /** Runs work after all earlier work of the same owner. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Events between two checkpoints, and bytes that all of them may take. */
  readonly runCheckpointEvents: number
  readonly runMaxBytes: number
}

/**
 * The preludes of one run. All readers that join at one position share a prelude. It is made in slices, from the
 * nearest known point.
 */
export class Preludes {
  /** Bytes of preludes with holders, and of checkpoints. */
  bytes = 0
  readonly #source: PreludeSource
  readonly #made = new Map<number, Prelude>()
  readonly #making = new Map<number, Promise<Prelude>>()
  readonly #checkpoints = new Map<number, RunPoint>()
  #checkpointBytes = 0
  #madeBytes = 0

  constructor(source: PreludeSource) {
    this.#source = source
  }

  /** The prelude of the position after `sequence`. Rejects if its history was evicted meanwhile. */
  at(sequence: number): Awaitable<Prelude> {
    const made = this.#made.get(sequence)
    if (made !== undefined) return made
    const { head, ring, inTurn } = this.#source
    if (sequence === ring.next - 1 && head.bytes <= atOnce) {
      const frames = preludeEvents(head).map((event) => [...framePieces(event)].filter((piece) => piece !== undefined))
      return this.#keep(sequence, frames)
    }
    let making = this.#making.get(sequence)
    if (making === undefined) {
      making = inTurn(() => this.#make(sequence)).finally(() => this.#making.delete(sequence))
      this.#making.set(sequence, making)
    }
    return making
  }

  /** Removes preludes and checkpoints, which can be made again. */
  clear(): void {
    for (const [place, made] of this.#made) this.#unkeep(place, made)
    for (const [place, point] of this.#checkpoints) this.#drop(place, point)
  }

  /** Adds a holder of a prelude. The returned function removes it. */
  hold(prelude: Prelude): () => void {
    if (prelude.holders++ === 0) this.bytes += prelude.bytes
    return () => {
      if (--prelude.holders === 0) this.bytes -= prelude.bytes
    }
  }

  async #make(sequence: number): Promise<Prelude> {
    const { slices } = this.#source
    await slices.turn()
    const point = await this.#pointAt(sequence)
    const frames: Uint8Array[][] = []
    for (const event of preludeEvents(point)) {
      const pieces: Uint8Array[] = []
      for (const piece of framePieces(event)) {
        if (piece !== undefined) pieces.push(piece)
        if (slices.over) await slices.turn()
      }
      frames.push(pieces)
    }
    return this.#keep(sequence, frames)
  }

  async #pointAt(sequence: number): Promise<RunPoint> {
    const { ring, base, head, slices, runCheckpointEvents } = this.#source
    if (sequence === ring.next - 1) return head.copy()
    let [at, nearest] = [ring.base - 1, base]
    for (const [place, point] of this.#checkpoints) {
      if (place < ring.base - 1) this.#drop(place, point)
      else if (place >= at && place <= sequence) [at, nearest] = [place, point]
    }
    // The events are copied now, because the oldest may be evicted while this waits for its slices.
    const frames: Uint8Array[] = []
    for (let next = at + 1; next <= sequence; next++) frames.push(ring.at(next)!.bytes)
    const point = nearest.copy()
    let isOwn = false
    for (const frame of frames) {
      if (slices.over) await slices.turn()
      const event = decodeFrame(frame)
      if (event.type === 'STATE_DELTA' && !isOwn) {
        // The patch itself would copy what it changes at once.
        for (const _ of point.document.ownState()) if (slices.over) await slices.turn()
        isOwn = true
      }
      point.replay(event)
      if (++at % runCheckpointEvents === 0 && this.#check(at, point)) isOwn = false
    }
    return point
  }

  /** Keeps a copy of a point, which shares its state from then on; false if it is not kept. */
  #check(place: number, point: RunPoint): boolean {
    const { runMaxBytes } = this.#source
    if (this.#checkpoints.has(place) || this.#checkpointBytes + point.bytes > runMaxBytes) return false
    const copy = point.copy()
    this.#checkpoints.set(place, copy)
    this.#checkpointBytes += copy.bytes
    this.bytes += copy.bytes
    return true
  }

  #drop(place: number, point: RunPoint): void {
    this.#checkpoints.delete(place)
    this.#checkpointBytes -= point.bytes
    this.bytes -= point.bytes
  }

  #unkeep(place: number, made: Prelude): void {
    this.#made.delete(place)
    this.#madeBytes -= made.bytes
    if (--made.holders === 0) this.bytes -= made.bytes
  }

  #keep(sequence: number, frames: readonly (readonly Uint8Array[])[]): Prelude {
    const bytes = frames.flat().reduce((sum, { length }) => sum + length + 128, 0)
    const prelude: Prelude = { bytes, frames, holders: 1 }
    this.bytes += bytes
    this.#madeBytes += bytes
    for (const [place, old] of this.#made) {
      if (this.#madeBytes <= keptBytes) break
      this.#unkeep(place, old)
    }
    this.#made.set(sequence, prelude)
    return prelude
  }
}

/**
 * The bytes of a prelude in order. Only the last frame has an id, so that a client that was cut off inside gets the
 * whole prelude again. The gap event, if history was evicted, follows the snapshots.
 */
export function writePrelude(
  { frames }: Prelude,
  id: string,
  gap: AgUiEvent | null,
  write: (bytes: Uint8Array) => void,
): void {
  const all = gap === null || frames.length === 0 ? frames : frames.toSpliced(EVENTS_BEFORE_GAP, 0, [encodeJson(gap)])
  all.forEach((pieces, index) => {
    if (index === all.length - 1) write(encoder.encode(`id: ${id}\n`))
    for (const piece of pieces) write(piece)
  })
}

const encoder = new TextEncoder()
/** Reads UTF-8. */
export const decoder: TextDecoder = new TextDecoder()

/** The event of a frame of a run's log: one `id:` line, one `data:` line. */
export function decodeFrame(frame: Uint8Array): AgUiEvent {
  const text = decoder.decode(frame)
  return JSON.parse(text.slice(text.indexOf('\ndata: ') + 7)) as AgUiEvent
}

/** The pieces of a frame. Undefined stands for a place to pause. */
function* framePieces(event: AgUiEvent): Generator<Uint8Array | undefined> {
  let text = 'data: '
  for (const piece of jsonPieces(event)) {
    text += piece
    if (text.length < 65_536) {
      yield
      continue
    }
    yield encoder.encode(text)
    text = ''
  }
  yield encoder.encode(`${text}\n\n`)
}
