/**
 * A project as those who follow it hold it: turns what each command did into the patch (RFC 6902) that brings the body of
 * GET project up to it. Pure, so that a million commands can be tried against the ledger.
 */
import type { Applied, Board, Card, Column, Standing } from '../api.ts'
import type { Places, Whereabouts } from '../engine/reads/draft.ts'

/** What a patch needs to know of a project: which cards stand where, and no text of theirs. */
export interface Mirror {
  /** Commands below the heads that the mirror stands at. */
  readonly revision: number
  /**
   * The patch of the next command, as JSON text; undefined where the command is contained already. Throws a `RangeError`
   * where commands between were missed: then only a new snapshot helps.
   */
  follow(applied: Applied): string | undefined
}

/** Where a mirror begins. */
export interface MirrorStart {
  readonly standing: Pick<Standing, 'revision' | 'headCount'>
  readonly root: string | null
  readonly places: Places
}

/** Makes the mirror of a project. */
export function createMirror({ standing, root: rootAtStart, places }: MirrorStart): Mirror {
  let { revision, headCount } = standing
  let root = rootAtStart
  const boards = new Set(places.boards)
  const columns = new Set(places.columns)
  const cards = new Map(places.cards)
  const unplaced = [...places.unplaced]
  const isUnplaced = new Set(unplaced)

  /** Notes what a change says of places; gives the cards whose place may have become another. */
  const note = ({ map, id, json }: Applied['changes'][number]): Iterable<string> => {
    if (json === null) return []
    if (map === 'cards') {
      cards.set(id, whereaboutsOf(JSON.parse(json) as Card))
      return [id]
    }
    if (map !== 'boards' && map !== 'columns') return []
    const live = map === 'boards' ? boards : columns
    const isLiveNow = isLive(JSON.parse(json) as Board | Column)
    if (live.has(id) === isLiveNow) return []
    if (isLiveNow) live.add(id)
    else live.delete(id)
    return cards.keys()
  }

  /** Brings the list of cards without a place up to the cards given, and gives the operations that do the same. */
  const place = (touched: ReadonlySet<string>): readonly string[] => {
    const turned: string[] = []
    for (const id of touched) {
      const [boardId, columnId] = cards.get(id)!
      const has = boardId !== null && columnId !== null && boards.has(boardId) && columns.has(columnId)
      if (has !== isUnplaced.has(id)) continue
      if (has) isUnplaced.delete(id)
      else isUnplaced.add(id)
      turned.push(id)
    }
    // Many at once, as when a board is archived, are shorter told as the whole list.
    if (turned.length > FEW && turned.length * 2 > isUnplaced.size) {
      unplaced.length = 0
      for (const id of [...isUnplaced].sort()) unplaced.push(id)
      return [operation('replace', '/unplaced', JSON.stringify(unplaced))]
    }
    return turned.map((id) => {
      const at = lowerBound(unplaced, id)
      if (isUnplaced.has(id)) {
        unplaced.splice(at, 0, id)
        return operation('add', `/unplaced/${at}`, JSON.stringify(id))
      }
      unplaced.splice(at, 1)
      return operation('remove', `/unplaced/${at}`)
    })
  }

  return {
    get revision() {
      return revision
    },
    follow(applied) {
      if (applied.revision <= revision) return undefined
      if (applied.revision !== revision + 1) throw new RangeError('Commands were missed.')
      const operations: string[] = []
      const touched = new Set<string>()
      for (const change of applied.changes) {
        const { map, id, json } = change
        // Comments and links are not in this reading of a project.
        if (map === 'comments' || map === 'links') continue
        // On an object, `add` replaces a member that is there.
        operations.push(json === null ? operation('remove', `/${map}/${id}`) : operation('add', `/${map}/${id}`, json))
        for (const card of note(change)) touched.add(card)
      }
      operations.push(...place(touched))
      if (root === null) operations.push(operation('replace', '/root', JSON.stringify((root = applied.id))))
      revision = applied.revision
      operations.push(operation('replace', '/revision', `${revision}`))
      operations.push(operation('replace', '/frontier', JSON.stringify(applied.frontier)))
      if (headCount !== applied.headCount)
        operations.push(operation('replace', '/headCount', `${(headCount = applied.headCount)}`))
      return `[${operations.join()}]`
    },
  }
}

/** Cards that are always told one by one. */
const FEW = 8

/** Ids are UUIDs and hashes, so nothing in a path needs an escape. */
function operation(op: 'add' | 'remove' | 'replace', path: string, json?: string): string {
  return json === undefined ? `{"op":"${op}","path":"${path}"}` : `{"op":"${op}","path":"${path}","value":${json}}`
}

function isLive({ archived }: Board | Column): boolean {
  return archived !== true
}

function whereaboutsOf({ place }: Card): Whereabouts {
  return [place?.boardId ?? null, place?.columnId ?? null]
}

/** Where an id stands, or would stand, in an ascending list. */
function lowerBound(list: readonly string[], id: string): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
