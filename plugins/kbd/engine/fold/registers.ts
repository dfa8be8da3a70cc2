/** The live values of an entity's registers, and the value of them that is shown. */
import type { Node } from '../graph/statements.ts'
import type { Sql } from '../sql.ts'
import { createFoldStatements } from './statements.ts'

/** A value of a register, until a command whose author has seen the value writes to the register. */
export interface RegisterEntry {
  readonly name: string
  /** Position of the command that wrote it. */
  readonly pos: number
  /** Canonical JSON. */
  readonly value: string
}

/** The entry name of the creations of an entity. Their entries are beside those of the registers. */
export const CREATED = '+'
/** The entry name of the boards that resolutions gave a column. */
export const REBOARDED = '~'

/** The entries of one entity. */
export interface EntityEntries {
  readonly entity: string
  readonly byName: ReadonlyMap<string, readonly RegisterEntry[]>
}

/** Returns an entity as it is before a command, read at the first call. */
export type ReadEntity = (entity: string) => EntityEntries

/** Reads and writes entries. */
export interface Registers {
  /** For one command of a project; `p` is undefined for its first command. */
  reading(p: number | undefined): ReadEntity
  /** Replaces exactly the entries that the writer had seen. Returns the entity after that. */
  write(
    p: number,
    before: EntityEntries,
    entries: readonly RegisterEntry[],
    seen: (pos: number) => boolean,
  ): EntityEntries
}

/** Makes the registers. */
export function createRegisters(sql: Sql): Registers {
  const statements = createFoldStatements(sql)
  const read = (p: number, entity: string): EntityEntries => {
    const byName = new Map<string, RegisterEntry[]>()
    for (const [name, pos, value] of statements.entries(p, entity)) {
      const list = byName.get(name)
      if (list === undefined) byName.set(name, [{ name, pos, value }])
      else list.push({ name, pos, value })
    }
    return { entity, byName }
  }
  return {
    reading(p) {
      const cached = new Map<string, EntityEntries>()
      return (entity) => {
        let entries = cached.get(entity)
        if (entries === undefined) {
          entries = p === undefined ? { entity, byName: new Map() } : read(p, entity)
          cached.set(entity, entries)
        }
        return entries
      }
    },
    write(p, { entity, byName }, entries, seen) {
      const after = new Map(byName)
      for (const entry of entries) {
        const { name, pos, value } = entry
        const isKeptAnyway = name === CREATED || name === REBOARDED
        const keptEntries: RegisterEntry[] = []
        for (const old of after.get(name) ?? []) {
          if (isKeptAnyway || !seen(old.pos)) keptEntries.push(old)
          else statements.deleteEntry(p, entity, name, old.pos)
        }
        statements.insertEntry(p, entity, name, pos, value)
        after.set(name, [...keptEntries, entry])
      }
      return { entity, byName: after }
    },
  }
}

/** Whether the values of a register differ. */
export function differ(entries: readonly RegisterEntry[]): boolean {
  const first = entries[0]?.value
  return entries.some(({ value }) => value !== first)
}

/** Whether one true value among several wins: an added label, a redacted comment. */
export function isTrueWins(name: string): boolean {
  return name === 'redacted' || name.startsWith('label/')
}

/** The shown value of a register: null if it is unset, the value of the lowest id if several differ. */
export function shown({ byName }: EntityEntries, name: string, nodeAt: (pos: number) => Node): unknown {
  const entries = byName.get(name)
  const first = entries?.[0]
  if (entries === undefined || first === undefined) return null
  if (!differ(entries)) return JSON.parse(first.value)
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

/** An entity without concurrent edits has fewer entries, if its labels are not counted. */
const MANY_ENTRIES = 16
