/** The sub-agents of a run, each with its start event and, once it has ended, its end event. */
import { sizeOf } from '../../json-size.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { refuse, tag } from './chunk-lanes.ts'
import type { RunCounts } from './entity-owners.ts'
import type { Journal } from './journal.ts'

/** One sub-agent; `end` is null while it runs. */
export interface Subagent {
  readonly start: AgUiEvent
  readonly end: AgUiEvent | null
}

/** All sub-agents of a run, ended ones included, by id. */
export class Subagents {
  readonly all: Map<string, Subagent> = new Map()
  readonly #journal: Journal
  readonly #counts: RunCounts

  constructor(journal: Journal, counts: RunCounts) {
    this.#journal = journal
    this.#counts = counts
  }

  /** @throws OrderError if it has started already, or its parent has not */
  start(event: AgUiEvent): void {
    const id = tag(event)!
    const parent = event.parentSubagentRunId as string | undefined
    if (this.all.has(id)) refuse(`sub-agent '${id}' has started already`)
    if (parent !== undefined && !this.all.has(parent)) refuse(`sub-agent '${parent}' has not started`)
    this.#say(id, short(event), null)
  }

  /** @throws OrderError if it is not running */
  end(event: AgUiEvent): void {
    const id = tag(event)!
    const subagent = this.all.get(id)
    if (subagent?.end !== null) refuse(`sub-agent '${id}' is not open`)
    this.#say(id, subagent.start, short(event))
  }

  /** @throws OrderError if one is still running */
  checkOver(): void {
    for (const [id, { end }] of this.all) if (end === null) refuse(`sub-agent '${id}' is still open`)
  }

  /** Removes results of ended sub-agents, the oldest first, until all sub-agents together take at most `maxBytes`. */
  trim(maxBytes: number): void {
    const counts = this.#counts
    if (counts.said <= maxBytes) return
    for (const [id, { start, end }] of this.all) {
      if (counts.said <= maxBytes / 2) return
      if (end?.result === undefined) continue
      const { result, ...rest } = end
      counts.said -= sizeOf(result)
      this.all.set(id, { start, end: rest as AgUiEvent })
    }
  }

  #say(id: string, start: AgUiEvent, end: AgUiEvent | null): void {
    this.#journal.keep(this.#counts).said += sizeOf(end ?? start)
    this.#journal.set(this.all, id, { start, end })
  }
}

/** The start or end event of a sub-agent, without members that no client needs later. */
function short(event: AgUiEvent): AgUiEvent {
  const { metadata: _metadata, rawEvent: _raw, timestamp: _time, ...rest } = event
  return rest as AgUiEvent
}
