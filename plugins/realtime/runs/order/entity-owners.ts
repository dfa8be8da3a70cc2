/** The owners of messages, tool calls, thoughts and activities of a run: the run itself, or a sub-agent. */
import { sizeOf } from '../../json-size.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { refuse, tag } from './chunk-lanes.ts'
import type { Journal } from './journal.ts'

/** A sub-agent's id, or null for the run itself. */
export type Owner = string | null

/** Ids are unique within a kind only: a message and a tool call may share one. */
export type EntityKind = 'message' | 'call' | 'thought' | 'activity'

/** Most ids that one run may name. They are kept as long as the run. */
const maxIds = 65_536

/** The cost of a kept id besides its characters, in bytes: two texts and their entries in two maps. */
const idOverhead = 160

/** Counts of a run: its ids, their bytes, and the bytes of the texts in starts and ends of sub-agents. */
export type RunCounts = Record<'ids' | 'idBytes' | 'said', number>

/** The recorded owners, and the counts of ids. */
export class EntityOwners {
  readonly #journal: Journal
  readonly #owners: Readonly<Record<EntityKind, Map<string, Owner>>> = {
    message: new Map(),
    call: new Map(),
    thought: new Map(),
    activity: new Map(),
  }
  /**
   * Messages that a tool call created. A client that got the call and one that joined later have different owners for
   * them, so for these messages a missing tag counts as a tag of the run itself.
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

  /** The recorded owner; undefined if there is none. */
  get(kind: EntityKind, id: string): Owner | undefined {
    return this.#owners[kind].get(id)
  }

  /** Records an owner. */
  set(kind: EntityKind, id: string, owner: Owner): void {
    if (!this.#owners[kind].has(id)) this.name(id)
    this.#journal.set(this.#owners[kind], id, owner)
  }

  /** Checks that the tag of an event names the recorded owner. A missing tag is accepted. */
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
