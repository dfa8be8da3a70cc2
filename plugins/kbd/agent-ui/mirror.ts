/**
 * A project as its followers have it. Turns the changes of each command into the patch (RFC 6902) that updates the body
 * of GET project. Pure, so that a test can compare a million commands with the ledger.
 */
import type { Applied, Standing } from '../api.ts'
import type { Places } from '../engine/reads/draft.ts'
import { CardPlaces } from './card-places.ts'
import { operation, UnplacedList } from './unplaced-list.ts'

/** The parts of a project that patches depend on: the places of cards, without their texts. */
export interface Mirror {
  /** The revision of the project in the mirror. */
  readonly revision: number
  /**
   * The patch of the next command, as JSON text; undefined if the mirror contains the command already. Throws a
   * `RangeError` if commands in between were missed. The mirror must then be replaced by one from a new snapshot.
   */
  follow(applied: Applied): string | undefined
}

/** The start of a mirror. */
export interface MirrorStart {
  readonly standing: Pick<Standing, 'revision' | 'headCount'>
  readonly root: string | null
  readonly places: Places
}

/** Makes the mirror of a project. */
export function createMirror({ standing, root: rootAtStart, places: placesAtStart }: MirrorStart): Mirror {
  let { revision, headCount } = standing
  let root = rootAtStart
  const places = new CardPlaces(placesAtStart)
  const unplaced = new UnplacedList(placesAtStart.unplaced)
  const isPlaced = (cardId: string): boolean => places.isPlaced(cardId)

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
        // The body of GET project has no comments and no links.
        if (map === 'comments' || map === 'links') continue
        // On an object, `add` replaces a member that exists.
        operations.push(json === null ? operation('remove', `/${map}/${id}`) : operation('add', `/${map}/${id}`, json))
        for (const card of places.apply(change)) touched.add(card)
      }
      operations.push(...unplaced.update(touched, isPlaced))
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
