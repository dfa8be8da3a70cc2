/** A snapshot while it is made: the rows that were read so far, and then their text, some of it at a time. */
import type { Board, Card, Change, Column, Frontier } from '../../api.ts'
import type { ViewRow } from './statements.ts'

/** A board and a column, by id; null where a card stands nowhere. */
export type Whereabouts = readonly [boardId: string | null, columnId: string | null]

/** Which cards stand where, and no text of theirs. */
export interface Places {
  /** Boards and columns that are not archived. */
  readonly boards: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
  readonly cards: ReadonlyMap<string, Whereabouts>
  /** Cards whose board or column is missing or archived, ascending. */
  readonly unplaced: readonly string[]
}

/** The maps of a project, in the order of its body. */
export const MAPS = ['boards', 'columns', 'cards', 'claims', 'conflicts'] as const

/** The name of a map. */
export type MapName = (typeof MAPS)[number]

/** What stands before the maps. */
export interface DraftHead {
  readonly project: string
  readonly root: string | null
  readonly revision: number
  readonly frontier: Frontier
  readonly headCount: number
}

/** A snapshot that is being made. */
export interface Draft {
  /** Takes rows, by id. */
  take(map: MapName, rows: readonly ViewRow[]): void
  /** Puts in what a command changed since the first row was read. */
  apply(changes: readonly Change[]): void
  /** Makes the body, a piece at each step; boards stand in the order of their creation, which `boards` has. */
  finish(head: DraftHead, boards: readonly string[]): Iterator<undefined>
  /** The body, once it is made. */
  finished(): { readonly bytes: Uint8Array; readonly places: Places }
}

/** Characters of one step. */
const PIECE = 262_144

/** Begins a snapshot. */
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
        // What is encoded is not kept as a text too.
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
        // Two claims may have one id, which is in `a`. The reads say which of them is shown.
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
  /** Takes from a row whether a board or a column is not archived, or the place of a card. */
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
