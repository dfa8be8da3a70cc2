/** The live values of an entity's registers, and what of them is shown. */
import type { Node } from '../graph/statements.ts'
import type { Sql } from '../parts.ts'

/** A value that stands in a register until a later command that has seen it writes there. */
export interface Entry {
  readonly name: string
  /** Position of the command that wrote it. */
  readonly pos: number
  /** Canonical JSON. */
  readonly value: string
}

/** Not registers but kept beside them: every creation of the entity, and every board that a column was resolved to. */
export const CREATED = '+'
/** See `CREATED`. */
export const REBOARDED = '~'

/** The entries of one entity. */
export interface EntityEntries {
  readonly entity: string
  readonly byName: ReadonlyMap<string, readonly Entry[]>
}

/** Gives an entity as it is before a command, read when it is first asked for. */
export type ReadEntity = (entity: string) => EntityEntries

/** Reads and writes entries. */
export interface Registers {
  /** For one command: of a project, or of one that has no command yet. */
  reading(p: number | undefined): ReadEntity
  /** Replaces exactly the entries that the writer had seen; gives the entity as it is then. */
  write(p: number, before: EntityEntries, entries: readonly Entry[], seen: (pos: number) => boolean): EntityEntries
}

/** Makes the registers. */
export function createRegisters(sql: Sql): Registers {
  const read = (p: number, entity: string): EntityEntries => {
    const byName = new Map<string, Entry[]>()
    for (const [name, pos, value] of sql(
      'SELECT name, pos, value FROM kbd_entries WHERE p = ? AND entity = ? ORDER BY name, pos',
    ).all<[name: string, pos: number, value: string]>(p, entity)) {
      const list = byName.get(name)
      if (list === undefined) byName.set(name, [{ name, pos, value }])
      else list.push({ name, pos, value })
    }
    return { entity, byName }
  }
  return {
    reading(p) {
      const known = new Map<string, EntityEntries>()
      return (entity) => {
        let entries = known.get(entity)
        if (entries === undefined) {
          entries = p === undefined ? { entity, byName: new Map() } : read(p, entity)
          known.set(entity, entries)
        }
        return entries
      }
    },
    write(p, { entity, byName }, entries, seen) {
      const after = new Map(byName)
      for (const entry of entries) {
        const { name, pos, value } = entry
        const before = after.get(name) ?? []
        const staysAnyway = name === CREATED || name === REBOARDED
        const kept: Entry[] = []
        for (const old of before) {
          if (staysAnyway || !seen(old.pos)) kept.push(old)
          else
            sql('DELETE FROM kbd_entries WHERE p = ? AND entity = ? AND name = ? AND pos = ?').run(
              p,
              entity,
              name,
              old.pos,
            )
        }
        sql('INSERT INTO kbd_entries VALUES (?, ?, ?, ?, ?)').run(p, entity, name, pos, value)
        after.set(name, [...kept, entry])
      }
      return { entity, byName: after }
    },
  }
}

/** Whether the values of a register differ. */
export function differ(entries: readonly Entry[]): boolean {
  return entries.some(({ value }) => value !== entries[0]!.value)
}

/** Whether one true value among several decides: a label that was added, a comment that was redacted. */
export function isTrueWins(name: string): boolean {
  return name === 'redacted' || name.startsWith('label/')
}

/** What is shown of a register: null where it is unset, the value of the lowest id where several differ. */
export function shown({ byName }: EntityEntries, name: string, nodeAt: (pos: number) => Node): unknown {
  const entries = byName.get(name)
  if (entries === undefined) return null
  if (!differ(entries)) return JSON.parse(entries[0]!.value)
  if (isTrueWins(name)) return true
  const lowest = entries
    .map(({ pos, value }) => ({ id: nodeAt(pos).id, value }))
    .reduce((one, other) => (one.id < other.id ? one : other))
  return JSON.parse(lowest.value)
}

/** Whether an entity has so many live entries that their commands are read together. */
export function isWide({ byName }: EntityEntries): boolean {
  let count = 0
  for (const [, entries] of byName) count += entries.length
  return count > MANY_ENTRIES
}

/** More entries than an entity has that was never edited concurrently, apart from labels. */
const MANY_ENTRIES = 16
