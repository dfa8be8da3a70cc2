/** The stored rows that show entities: one for each, by the map that it belongs to. */
import type { Change } from '../../api.ts'
import type { FoldStatements, View } from './statements.ts'

/** A stored claim: the id of its acquire or force, its claim id, and its JSON. */
export interface StoredClaim {
  readonly of: string
  readonly claimId: string
  readonly json: string
}

/** The rows that show entities. `p` is the number of the project. */
export interface Views {
  /** Writes a row. Returns whether it differs from the row before. */
  put(p: number, view: View): boolean
  drop(p: number, map: Change['map'], id: string): void
  /** The conflicts of an entity by id, each with the start of its JSON, which contains its register. */
  conflictsOf(p: number, entity: string): ReadonlyMap<string, string>
  claimsOf(p: number, cardId: string): readonly StoredClaim[]
  /** The shown JSON of a claim; null if there is none. Several claims may have one claim id. */
  claimJson(p: number, claimId: string): string | null
}

/** Characters that are read of a conflict, whose whole text may be long. */
const START = 512

/** Makes the rows of a database. */
export function createViews(statements: FoldStatements): Views {
  return {
    put(p, view) {
      const was = statements.view(p, view.map, view.id)
      if (was === undefined) {
        statements.insertView(p, view)
        return true
      }
      const [json, archived, a, b] = was
      if (json === view.json && archived === (view.archived ? 1 : 0)) return false
      // SQLite writes the entry of an index again for each column that a statement names, even if its value is the
      // same.
      if (a === view.a && b === view.b) statements.updateJson(p, view)
      else statements.updateView(p, view)
      return true
    },
    drop: (p, map, id) => statements.deleteView(p, map, id),
    conflictsOf: (p, entity) => new Map(statements.conflictStarts(p, entity, START)),
    claimsOf: (p, cardId) => statements.claimsOf(p, cardId).map(([of, claimId, json]) => ({ of, claimId, json })),
    claimJson: (p, claimId) => chooseClaim(statements.claimsWithId(p, claimId)),
  }
}

/**
 * Of several claims with one claim id, the shown one: the claim in force, else the one whose acquire has the lowest id.
 */
function chooseClaim(texts: readonly string[]): string | null {
  return texts.find((json) => json.endsWith('"held"}')) ?? texts[0] ?? null
}
