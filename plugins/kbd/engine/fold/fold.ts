/**
 * The fold: what a command does to the state, in the order in which commands come. It is total: what means nothing where
 * it stands writes nothing. A command touches its own registers and nothing else, whatever its parents are.
 */
import type { Applied, Change, Command, Conflict } from '../../api.ts'
import { type Claims, isClaim, type Stand } from '../claims/claims.ts'
import { candidateValue, createdBy, splitRegister, type Write, writesOf } from '../commands/commands.ts'
import { findConflicts, isTouched, mayConflict } from '../conflicts/conflicts.ts'
import type { Content } from '../content/content.ts'
import type { Graph, NewNode, Place, ProjectRow } from '../graph/graph.ts'
import type { Past } from '../graph/past.ts'
import { contains, intersect, type Ranges } from '../graph/ranges.ts'
import type { Codecs, Sql } from '../parts.ts'
import { CREATED, type EntityEntries, type Entry, REBOARDED, type ReadEntity, type Registers } from './registers.ts'
import { mapOf, render, type View } from './render.ts'

/** Puts admitted commands into a project. */
export interface Fold {
  /**
   * Adds a command whose parents are all known and which is not known itself. `row` is the project as it stands,
   * undefined before its first command.
   */
  append(row: ProjectRow | undefined, command: NewNode, place: Place, read: ReadEntity, nowMs: number): Applied
}

/** The parts of a fold. */
export interface FoldParts {
  readonly sql: Sql
  readonly graph: Graph
  readonly registers: Registers
  readonly claims: Claims
  readonly content: Content
  readonly codecs: Codecs
}

/** Makes the fold. */
export function createFold(parts: FoldParts): Fold {
  const { sql, graph, registers, claims, content, codecs } = parts

  /** What a command needs to know of its past to say what it writes; undefined where it means nothing there. */
  const derive = (p: number, command: Command, unseen: Ranges, read: ReadEntity, past: Past): unknown => {
    const seen = (pos: number): boolean => !contains(unseen, pos)
    if (command.type === 'column.rerank') {
      const column = read(`column/${command.columnId}`)
      if (isWide(column)) past.load(column.entity)
      return boardIn(past, column, seen)
    }
    if (command.type !== 'conflict.resolve') return undefined
    if ('value' in command.choose) return command.choose.value
    const node = graph.node(p, command.choose.id)
    if (node === undefined || !seen(node.pos)) return undefined
    const chosen = graph.command(p, node.pos)
    const { entity, name } = splitRegister(command.register)!
    return candidateValue(chosen.command, chosen.derived, entity, name)
  }

  /** Whether it is another than what was shown. */
  const put = (p: number, { map, id, json, archived, a, b }: View): boolean => {
    const hidden = archived ? 1 : 0
    const was = sql('SELECT json, archived, a, b FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<
      [json: string, archived: number, a: string | null, b: string | null]
    >(p, map, id)
    if (was === undefined) sql('INSERT INTO kbd_views VALUES (?,?,?,?,?,?,?)').run(p, map, id, json, hidden, a, b)
    else if (was[0] === json && was[1] === hidden) return false
    // SQLite writes the entry of an index anew for a column that is named, also where its value stays.
    else if (was[2] === a && was[3] === b)
      sql('UPDATE kbd_views SET json = ?, archived = ? WHERE p = ? AND map = ? AND id = ?').run(
        json,
        hidden,
        p,
        map,
        id,
      )
    else
      sql('UPDATE kbd_views SET json = ?, archived = ?, a = ?, b = ? WHERE p = ? AND map = ? AND id = ?').run(
        json,
        hidden,
        a,
        b,
        p,
        map,
        id,
      )
    return true
  }

  const drop = (p: number, map: Change['map'], id: string): void =>
    sql('DELETE FROM kbd_views WHERE p = ? AND map = ? AND id = ?').run(p, map, id)

  /** Brings what is shown of an entity up to its registers. */
  const show = (
    p: number,
    old: EntityEntries,
    entries: EntityEntries,
    written: readonly Entry[],
    past: Past,
    changes: Change[],
    opened: string[],
  ): void => {
    const { entity, byName } = entries
    if (isWide(entries)) past.load(entity)
    const claimed = written.some(({ name }) => name === 'claim')
    const held = byName.has('claim') ? claims.settle(p, entries, past) : []
    const inForce = held.find(({ claim }) => claim.state === 'held')
    if (claimed) showClaims(p, entity, held, changes)
    const view = render(past, entries, inForce?.claim.claimId ?? null)
    if (view !== undefined && put(p, view)) changes.push({ map: view.map, id: view.id, json: view.json })

    if (!mayConflict(old) && !mayConflict(entries)) return
    const now = findConflicts(codecs, past, entries, written, inForce?.entryPos)
    const rows = sql("SELECT id, substr(json, 1, 512) FROM kbd_views WHERE p = ? AND a = ? AND map = 'conflicts'")
    const before = new Map(rows.all<[id: string, start: string]>(p, entity))
    for (const [id, start] of before) {
      if (now.some(({ conflictId }) => conflictId === id)) continue
      if (!isTouched(registerOf(start).slice(entity.length + 1), written)) continue
      drop(p, 'conflicts', id)
      changes.push({ map: 'conflicts', id, json: null })
    }
    for (const conflict of now) {
      const json = JSON.stringify(conflict satisfies Conflict)
      const id = conflict.conflictId
      if (!put(p, { map: 'conflicts', id, json, archived: false, a: entity, b: null })) continue
      changes.push({ map: 'conflicts', id, json })
      if (!before.has(id)) opened.push(id)
    }
  }

  const showClaims = (p: number, entity: string, held: ReturnType<Claims['settle']>, changes: Change[]): void => {
    const { id: cardId } = mapOf(entity)
    const touched = new Set<string>()
    const known = sql("SELECT id, a, json FROM kbd_views WHERE p = ? AND b = ? AND map = 'claims'").all<
      [of: string, claimId: string, json: string]
    >(p, cardId)
    const shownJson = new Map(known.map(([of, , json]) => [of, json]))
    const live = new Set(held.map(({ of }) => of))
    for (const [of, claimId] of known) {
      if (live.has(of)) continue
      drop(p, 'claims', of)
      touched.add(claimId)
    }
    for (const { of, claim } of held) {
      const json = JSON.stringify(claim)
      if (json === shownJson.get(of)) continue
      put(p, { map: 'claims', id: of, json, archived: false, a: claim.claimId, b: cardId })
      touched.add(claim.claimId)
    }
    for (const claimId of touched) changes.push({ map: 'claims', id: claimId, json: claimJson(sql, p, claimId) })
  }

  return {
    append(row, command, place, read, nowMs) {
      const { id, envelope } = command
      const { command: said } = envelope
      const { unseen } = place
      const derived = row === undefined ? undefined : derive(row.p, said, unseen, read, graph.past(row.p))
      const { row: after, forked } = graph.add(row, command, place, derived)
      const { p, revision: pos, project } = after
      const past = graph.past(p)
      const seen = (other: number): boolean => !contains(unseen, other)
      const changes: Change[] = []
      const opened: string[] = []

      const byEntity = new Map<string, Entry[]>()
      const add = (entity: string, name: string, value: unknown): void => {
        const entry = { name, pos, value: codecs.canonicalText(value) }
        const list = byEntity.get(entity)
        if (list === undefined) byEntity.set(entity, [entry])
        else list.push(entry)
      }
      let effective = true
      if (isClaim(said)) {
        const stand: Stand = { p, pos, id, envelope, unseen, past }
        const value = claims.fold(stand, said)
        if (value !== undefined) add(`card/${said.cardId}`, 'claim', value)
        effective = value !== undefined
      } else {
        const writes = writesOf(said, derived)
        for (const { entity, name, value } of writes) add(entity, name, value)
        keepBoards(said, writes, add)
        effective = writes.length > 0
      }
      for (const [entity, entries] of byEntity) {
        const old = read(entity)
        const now = registers.write(p, old, entries, seen)
        show(p, old, now, entries, past, changes, opened)
        content.named(p, project, now, entries, nowMs)
      }
      return {
        project,
        id,
        envelope,
        changes,
        opened,
        effective,
        forked,
        // A new command is a head; where there is but one, it is that.
        frontier: after.headCount === 1 ? { heads: [id] } : graph.frontier(p),
        headCount: after.headCount,
        revision: pos,
        placing: changes.some(({ map }) => map === 'boards' || map === 'columns' || map === 'cards'),
      }
    },
  }
}

/**
 * The board of a column in the past of a command: of the boards that no later write there has replaced, that of the
 * lowest command id. `seen` says whether a position lies in that past.
 */
function boardIn(past: Past, { byName }: EntityEntries, seen: (pos: number) => boolean): unknown {
  const all = [...(byName.get(CREATED) ?? []), ...(byName.get(REBOARDED) ?? [])].filter(({ pos }) => seen(pos))
  // From the newest on: a write is replaced exactly if a write that was not replaced has seen it.
  const newestFirst = [...all].sort((one, other) => other.pos - one.pos)
  let unseenByAll: Ranges | undefined
  let found: { readonly id: string; readonly value: string } | undefined
  for (const { pos, value } of newestFirst) {
    if (unseenByAll !== undefined && !contains(unseenByAll, pos)) continue
    const { id } = past.nodeAt(pos)
    if (found === undefined || id < found.id) found = { id, value }
    const unseen = past.unseen(pos)
    unseenByAll = unseenByAll === undefined ? unseen : intersect(unseenByAll, unseen)
    if (unseenByAll.length === 0) break
  }
  return found === undefined ? undefined : JSON.parse(found.value)
}

/** The register in the stored JSON of a conflict. With many candidates parsing the whole text costs milliseconds. */
function registerOf(start: string): string {
  const register = /"register":"([^"]+)"/.exec(start)?.[1]
  if (register === undefined) throw new Error('A stored conflict names no register.')
  return register
}

/** Whether an entity has so many live entries that their commands are read together. */
function isWide({ byName }: EntityEntries): boolean {
  let count = 0
  for (const [, entries] of byName) count += entries.length
  return count > MANY_ENTRIES
}

/** More entries than an entity has that was never edited concurrently, apart from labels. */
const MANY_ENTRIES = 16

/** Remembers creations, and the boards that columns were given, beside the registers. */
function keepBoards(
  command: Command,
  writes: readonly Write[],
  add: (entity: string, name: string, value: unknown) => void,
): void {
  const created = createdBy(command)
  if (created !== undefined) add(created, CREATED, command.type === 'column.create' ? command.boardId : null)
  else for (const { entity, name, value } of writes) if (name === 'boardId') add(entity, REBOARDED, value)
}

/** A claim as a project shows it. Two claims may bear one id: the one in force, then the lowest acquire, is shown. */
export function claimJson(sql: Sql, p: number, claimId: string): string | null {
  const rows = sql("SELECT json FROM kbd_views WHERE p = ? AND a = ? AND map = 'claims' ORDER BY id").all<
    [json: string]
  >(p, claimId)
  return (rows.find(([json]) => json.endsWith('"held"}')) ?? rows[0])?.[0] ?? null
}
