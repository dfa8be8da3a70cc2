/** The state of a run at a point of its log as JSON, from which another node continues. */

import type { AgUiEvent } from '../event-shape.ts'
import { jsonPieces } from '../json-pieces.ts'
import type { Message } from '../message.ts'
import type { RunPoint } from '../run-point.ts'
import type { Slices } from '../slices.ts'
import type { RunBase } from './api.ts'

interface Saved {
  readonly started: AgUiEvent | null
  readonly sizes: RunPoint['sizes']
  readonly state: unknown
  readonly messages: readonly Message[]
  readonly phase: RunPoint['order']['phase']
  readonly counts: RunPoint['order']['counts']
  readonly maps: readonly (readonly (readonly [string | null, unknown])[])[]
}

/** The text of a point in pieces, made in slices of the event loop. The point must not change meanwhile. */
export async function* savePoint(point: RunPoint, slices: Slices): AsyncGenerator<string> {
  const { started, sizes, document, order } = point
  const { phase, counts } = order
  const maps = order.maps.map((map) => [...map].map(([key, value]) => [key ?? null, value] as const))
  const saved: Saved = { started, sizes, state: document.state, messages: document.messages, phase, counts, maps }
  await slices.turn()
  for (const piece of jsonPieces(saved)) {
    yield piece
    if (slices.over) await slices.turn()
  }
}

/** Loads a saved point into a new one. */
export function loadPoint(point: RunPoint, { point: text }: Pick<RunBase, 'point'>): void {
  const { started, sizes, state, messages, phase, counts, maps } = JSON.parse(text) as Saved
  point.started = started
  point.sizes = sizes
  point.document.apply({ type: 'MESSAGES_SNAPSHOT', messages })
  point.document.state = state
  const { order } = point
  order.phase = phase
  Object.assign(order.counts, counts)
  order.maps.forEach((map, index) => {
    // Chunks of the run itself have no owner, so their key is undefined, which is null as JSON. Other maps have no null
    // keys.
    const saved = maps[index]
    if (saved === undefined) throw new Error('a map of the saved point is missing')
    for (const [key, value] of saved) map.set(key ?? undefined, value)
  })
}
