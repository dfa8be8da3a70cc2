/** A snapshot in the making: collects the rows of a project, then encodes the body piece by piece. */
import type { Board, Card, Change, Column, Frontier } from '../../api.ts'
import type { ViewRow } from './statements.ts'

/** The board and the column of a card; null if the card has no place. */
export type Whereabouts = readonly [boardId: string | null, columnId: string | null]

/** The places of the cards of a project, without their texts. */
export interface Places {
  /** Boards and columns that are not archived. */
  readonly boards: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
  readonly cards: ReadonlyMap<string, Whereabouts>
  /** Cards whose board or column is missing or archived, ascending. */
  readonly unplaced: readonly string[]
}

/** The maps in the body of GET project, in order. */
export const MAPS = ['boards', 'columns', 'cards', 'claims', 'conflicts'] as const

/** The name of a map. */
export type MapName = (typeof MAPS)[number]

/** The members before the maps in the body of GET project. */
export interface DraftHead {
  readonly project: string
  readonly root: string | null
  readonly revision: number
  readonly frontier: Frontier
  readonly headCount: number
}

/** A snapshot in the making. */
export interface Draft {
  /** Adds rows of a map. */
  take(map: MapName, rows: readonly ViewRow[]): void
  /** Applies the changes of a command that came after the first row was read. */
  apply(changes: readonly Change[]): void
  /** Encodes the body, one piece at each step. `boards` are the ids of the boards in the order of their creation. */
  finish(head: DraftHead, boards: readonly string[]): Iterator<undefined>
  /** The body and the places. Throws if `finish` has not ended. */
  finished(): { readonly bytes: Uint8Array; readonly places: Places }
}

/** Characters that one step encodes, at least. */
const PIECE = 262_144

/** Makes an empty draft. */
export function createDraft(): Draft {
  const texts: Readonly<Record<MapName, Map<string, string>>> = {
    boards: new Map(),
    columns: new Map(),
    cards: new Map(),
    claims: new Map(),
    conflicts: new Map(),
  }
  const placing = createPlacing()
  const encoder = new TextEncoder()
  let pieces: Uint8Array[] = []
  let bytes: Uint8Array | undefined
  let places: Places | undefined

  function* body(head: DraftHead, boards: readonly string[]): Generator<undefined> {
    let text = JSON.stringify(head).slice(0, -1)
    for (const map of MAPS) {
      const entries = texts[map]
      text += `,"${map}":{`
      let isFirst = true
      const ids = map === 'boards' ? boards : [...entries.keys()].sort()
      for (const id of ids) {
        const json = entries.get(id)
        if (json === undefined) continue
        text += `${isFirst ? '' : ','}"${id}":${json}`
        isFirst = false
        // An encoded text is removed, so that the memory does not hold each text twice.
        entries.delete(id)
        if (text.length < PIECE) continue
        pieces.push(encoder.encode(text))
        text = ''
        yield
      }
      text += '}'
    }
    places = placing.finished()
    pieces.push(encoder.encode(`${text},"unplaced":${JSON.stringify(places.unplaced)}}`))
    yield
    const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      whole.set(piece, at)
      at += piece.length
      yield
    }
    pieces = []
    bytes = whole
  }

  return {
    take(map, rows) {
      for (const [id, json, archived, a, b] of rows) {
        // The id of a claim is in `a`, and two claims may have one id. The rows of both contain the one that is shown.
        texts[map].set(map === 'claims' && a !== null ? a : id, json)
        placing.set(map, id, archived === 0, [a, b])
      }
    },
    apply(changes) {
      for (const { map, id, json } of changes) {
        if (!isMap(map)) continue
        const entries = texts[map]
        if (json === null) {
          entries.delete(id)
          continue
        }
        entries.set(id, json)
        if (map === 'claims' || map === 'conflicts') continue
        const entity = JSON.parse(json) as Board | Column | Card
        const { boardId = null, columnId = null } = ('place' in entity ? entity.place : null) ?? {}
        placing.set(map, id, entity.archived !== true, [boardId, columnId])
      }
    },
    finish: body,
    finished() {
      if (bytes === undefined || places === undefined) throw new Error('The snapshot is not finished.')
      return { bytes, places }
    },
  }
}

/** The places of cards while rows are read. */
interface Placing {
  /** Notes whether a board or a column is not archived, or the place of a card. */
  set(map: MapName, id: string, isLive: boolean, where: Whereabouts): void
  finished(): Places
}

function createPlacing(): Placing {
  const live = { boards: new Set<string>(), columns: new Set<string>() }
  const cards = new Map<string, Whereabouts>()
  const has = (map: keyof typeof live, id: string | null): boolean => id !== null && live[map].has(id)
  return {
    set(map, id, isLive, where) {
      if (map === 'cards') cards.set(id, where)
      if (map !== 'boards' && map !== 'columns') return
      if (isLive) live[map].add(id)
      else live[map].delete(id)
    },
    finished() {
      const unplaced = [...cards]
        .filter(([, [boardId, columnId]]) => !has('boards', boardId) || !has('columns', columnId))
        .map(([id]) => id)
        .sort()
      return { ...live, cards, unplaced }
    },
  }
}

function isMap(name: string): name is MapName {
  return (MAPS as readonly string[]).includes(name)
}
