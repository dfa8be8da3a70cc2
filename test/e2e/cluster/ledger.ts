/** Writers that keep a ledger of what was acknowledged, and the comparison of the runs with it. */
import * as assert from 'uvu/assert'
import { SvcError } from '../../../core/errors.ts'
import { until } from './rig.ts'
import type { RunNode } from './run-nodes.ts'

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }

/** How long servers may take until they take the first run, in milliseconds. */
const BEGUN_MS = 60_000

/** In which time an append is answered, with some for a busy machine, in milliseconds. */
const ANSWER_MS = 5_900

/** What became of an append of a ledger. */
export type Outcome = 'written' | 'overloaded' | 'append_unknown'

/** The runs of some writers, and what the nodes acknowledged of them. */
export class Ledger {
  readonly #nodes: readonly RunNode[]
  /** By run, the names of acknowledged events with their sequences. */
  readonly #acknowledged = new Map<string, { readonly name: string; readonly seq: number }[]>()
  /** How often each node gave each answer. */
  readonly answers: readonly Record<Outcome, number>[]

  constructor(nodes: readonly RunNode[]) {
    this.#nodes = nodes
    this.answers = nodes.map(() => ({ written: 0, overloaded: 0, append_unknown: 0 }))
  }

  /** How many events were acknowledged. */
  get size(): number {
    return [...this.#acknowledged.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** Makes a run, once the servers take one; gives its epoch. */
  async begin(run_id: string): Promise<string> {
    const { runs } = this.#nodes[0]!
    let epoch: string | undefined
    const make = async (): Promise<boolean> => {
      epoch ??= (await runs.get(owner, run_id))?.epoch ?? (await runs.create(owner, { run_id })).epoch
      const { last_seq } = await runs.append(owner, run_id, [started], `"${epoch}-0"`)
      return last_seq > 0
    }
    await until(`the run ${run_id}`, () => make().catch(() => false), BEGUN_MS)
    this.#acknowledged.set(run_id, [{ name: started.type, seq: 1 }])
    return epoch!
  }

  /** Appends through a node, once. With a position the event is there if another attempt has written it. */
  async append(node: number, run_id: string, name: string, match?: string): Promise<Outcome> {
    const event = { type: 'CUSTOM', name, value: null }
    const since = performance.now()
    let outcome: Outcome = 'written'
    try {
      const { last_seq } = await this.#nodes[node]!.runs.append(owner, run_id, [event], match)
      this.#acknowledged.get(run_id)!.push({ name, seq: match === undefined ? last_seq : positionOf(match) + 1 })
    } catch (error) {
      const code = error instanceof SvcError ? error.code : String(error)
      if (code !== 'overloaded' && code !== 'append_unknown') throw error
      outcome = code
    }
    const ms = performance.now() - since
    assert.ok(ms < ANSWER_MS, `${outcome} after ${Math.round(ms)} ms`)
    this.answers[node]![outcome]++
    return outcome
  }

  /** Compares what a node has with the ledger; gives what is wrong. */
  async problems(node: number): Promise<string[]> {
    const found: string[] = []
    for (const [run_id, present] of this.#acknowledged) {
      // Writers go on meanwhile.
      const acknowledged = [...present]
      const names = await this.#namesOf(node, run_id)
      for (const { name, seq } of acknowledged)
        if (names[seq - 1] !== name)
          found.push(`${run_id}: ${name} was acknowledged at ${seq}, where ${names[seq - 1]} is`)
      for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index)))
        found.push(`${run_id}: ${name} is there more than once`)
    }
    return found
  }

  async #namesOf(node: number, run_id: string): Promise<string[]> {
    const run = await this.#nodes[node]!.runs.find(owner, run_id, false)
    if (run === undefined) return []
    const { ring } = run.feed
    const names: string[] = []
    for (let seq = ring.base; seq < ring.next; seq++) {
      const text = Buffer.from(ring.at(seq)!.bytes).toString()
      const { type, name } = JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as { type: string; name?: string }
      names.push(name ?? type)
    }
    return names
  }
}

function positionOf(match: string): number {
  return Number(/-(\d+)"$/.exec(match)![1])
}
