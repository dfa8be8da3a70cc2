/** Whose the messages, tool calls, thoughts and activities of a run are: its own, or a sub-agent's. */
import { sizeOf } from '../../json-size.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { refuse, tag } from './chunk-lanes.ts'
import type { Journal } from './journal.ts'

/** A sub-agent's id, or null for the run itself. */
export type Owner = string | null

/** Ids are unique within a kind only: a message and a tool call may share one. */
export type EntityKind = 'message' | 'call' | 'thought' | 'activity'

/** Most ids that one run may name: its order is remembered for as long as it lives. */
const maxIds = 65_536

/** What an id costs that is remembered, beside its characters: two texts and their places in two maps, in bytes. */
const idOverhead = 160

/** What a run remembers in numbers: ids that were named and their bytes, and bytes of what starts and ends of sub-agents said. */
export type RunCounts = Record<'ids' | 'idBytes' | 'said', number>

/** The owners on record, and the account of the ids that a run has named. */
export class EntityOwners {
  readonly #journal: Journal
  readonly #owners: Readonly<Record<EntityKind, Map<string, Owner>>> = {
    message: new Map(),
    call: new Map(),
    thought: new Map(),
    activity: new Map(),
  }
  /**
   * Messages that a tool call brought into being. A client that saw it and one that joined later have different owners
   * on record for them, so here a missing tag does count as a claim: that of the run itself.
   */
  readonly carriers: Map<string, true> = new Map()
  readonly #counts: RunCounts

  constructor(journal: Journal, counts: RunCounts) {
    this.#journal = journal
    this.#counts = counts
  }

  /** Its maps, in a fixed order. */
  get maps(): readonly Map<string, unknown>[] {
    return [this.carriers, ...Object.values(this.#owners)]
  }

  /** Undefined where none is on record. */
  get(kind: EntityKind, id: string): Owner | undefined {
    return this.#owners[kind].get(id)
  }

  /** Puts an owner on record. */
  own(kind: EntityKind, id: string, owner: Owner): void {
    if (!this.#owners[kind].has(id)) this.name(id)
    this.#journal.set(this.#owners[kind], id, owner)
  }

  /** A tag that is given must name the owner of record; one that is absent is no claim. */
  agree(kind: EntityKind, id: string, event: AgUiEvent): void {
    const owner = this.get(kind, id)
    const claimed = tag(event)
    if (claimed !== undefined && owner !== undefined && owner !== claimed) {
      refuse(`${event.type}: '${id}' does not belong to sub-agent '${claimed}'`)
    }
  }

  /** Counts an id. */
  name(id: string): void {
    const counts = this.#journal.keep(this.#counts)
    counts.idBytes += idOverhead + sizeOf(id)
    if (++counts.ids > maxIds) refuse('the run names too many ids')
  }
}
