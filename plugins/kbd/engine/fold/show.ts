/**
 * Updates the rows that show an entity after a write to its registers: the entity itself, its conflicts, the claims on
 * it.
 */
import type { Change, Conflict } from '../../api.ts'
import type { Claims } from '../claims/claims.ts'
import type { Codecs } from '../codecs.ts'
import { findConflicts, isTouched, mayConflict } from '../conflicts/conflicts.ts'
import type { Past } from '../graph/past.ts'
import type { Sql } from '../sql.ts'
import { type EntityEntries, isWide, type RegisterEntry } from './registers.ts'
import { mapOf, render } from './render.ts'
import { createFoldStatements } from './statements.ts'
import { createViews } from './views.ts'

/** An entity that a command has written to. */
export interface Written {
  readonly p: number
  readonly past: Past
  /** Its entries before and after the command, and those that the command wrote. */
  readonly old: EntityEntries
  readonly now: EntityEntries
  readonly entries: readonly RegisterEntry[]
}

/** The changes of a command to the shown rows, and the conflicts that the command opened. */
export interface Shown {
  readonly changes: Change[]
  readonly opened: string[]
}

/** Updates the rows that show an entity, and adds the changes to `shown`. */
export type Show = (written: Written, shown: Shown) => void

/** The parts of the update. */
export interface ShowParts {
  readonly sql: Sql
  readonly claims: Claims
  readonly codecs: Codecs
}

/** Makes the function that updates the rows. */
export function createShow({ sql, claims, codecs }: ShowParts): Show {
  const views = createViews(createFoldStatements(sql))

  const showClaims = (p: number, entity: string, claimsNow: ReturnType<Claims['shown']>, changes: Change[]): void => {
    const { id: cardId } = mapOf(entity)
    const touched = new Set<string>()
    const stored = views.claimsOf(p, cardId)
    const shownJson = new Map(stored.map(({ of, json }) => [of, json]))
    const live = new Set(claimsNow.map(({ of }) => of))
    for (const { of, claimId } of stored) {
      if (live.has(of)) continue
      views.drop(p, 'claims', of)
      touched.add(claimId)
    }
    for (const { of, claim } of claimsNow) {
      const json = JSON.stringify(claim)
      if (json === shownJson.get(of)) continue
      views.put(p, { map: 'claims', id: of, json, archived: false, a: claim.claimId, b: cardId })
      touched.add(claim.claimId)
    }
    for (const claimId of touched) changes.push({ map: 'claims', id: claimId, json: views.claimJson(p, claimId) })
  }

  const showConflicts = ({ p, past, now, entries }: Written, entryInForce: number | undefined, shown: Shown): void => {
    const { entity } = now
    const conflicts = findConflicts(codecs, past, now, entries, entryInForce)
    const before = views.conflictsOf(p, entity)
    for (const [id, start] of before) {
      if (conflicts.some(({ conflictId }) => conflictId === id)) continue
      if (!isTouched(registerOf(start).slice(entity.length + 1), entries)) continue
      views.drop(p, 'conflicts', id)
      shown.changes.push({ map: 'conflicts', id, json: null })
    }
    for (const conflict of conflicts) {
      const json = JSON.stringify(conflict satisfies Conflict)
      const id = conflict.conflictId
      if (!views.put(p, { map: 'conflicts', id, json, archived: false, a: entity, b: null })) continue
      shown.changes.push({ map: 'conflicts', id, json })
      if (!before.has(id)) shown.opened.push(id)
    }
  }

  return (written, shown) => {
    const { p, past, old, now, entries } = written
    const { entity, byName } = now
    if (isWide(now)) past.load(entity)
    const claimsNow = byName.has('claim') ? claims.shown(p, now, past) : []
    const inForce = claimsNow.find(({ isCurrent }) => isCurrent)
    if (entries.some(({ name }) => name === 'claim')) showClaims(p, entity, claimsNow, shown.changes)
    const view = render(past, now, inForce?.claim.claimId ?? null)
    if (view !== undefined && views.put(p, view)) shown.changes.push({ map: view.map, id: view.id, json: view.json })
    if (mayConflict(old) || mayConflict(now)) showConflicts(written, inForce?.entryPos, shown)
  }
}

/** The register in the stored JSON of a conflict. With many candidates parsing the whole text costs milliseconds. */
function registerOf(start: string): string {
  const register = /"register":"([^"]+)"/.exec(start)?.[1]
  if (register === undefined) throw new Error('A stored conflict names no register.')
  return register
}
