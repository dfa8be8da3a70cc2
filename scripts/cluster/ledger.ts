/** Writers that keep a ledger of what was acknowledged, and the comparison of the runs with it. */
import { until } from '../until.ts'

/** An AG-UI event of a ledger. */
export interface LedgerEvent {
  readonly type: string
  readonly [member: string]: unknown
}

/** What became of an append. */
export type Outcome = 'written' | 'overloaded' | 'append_unknown'

/** A way to the runs: a node, or the balancer before all nodes. */
export interface Entrance {
  /** Makes a run unless it is there; gives its epoch. */
  begin(run_id: string): Promise<string>
  /** Appends an event, once; gives its sequence where it is written. @throws Error for any other answer */
  append(run_id: string, event: LedgerEvent, match?: string): Promise<{ readonly is: Outcome; readonly seq?: number }>
  /** The events of a run by name, those without a name by type, in order, at least up to the sequence `last`. */
  read(run_id: string, last: number): Promise<Reading>
}

/** What was read of a run. */
export interface Reading {
  readonly names: readonly (string | undefined)[]
  /** Whether the run was seen to end here. Otherwise more may come. */
  readonly isWhole: boolean
}

/** A difference between the ledger and a run. */
export interface Problem {
  readonly run_id: string
  readonly text: string
  /** Whether a later look may find that there is none. */
  readonly isLate: boolean
}

/** A run of a ledger. */
interface Account {
  readonly acknowledged: { readonly name: string; readonly seq: number }[]
  isFinished: boolean
}

/** How long servers may take until they take a run, in milliseconds. */
const BEGUN_MS = 60_000

/** The runs of some writers, and what was acknowledged of them. */
export class Ledger {
  readonly #entrances: readonly Entrance[]
  readonly #accounts = new Map<string, Account>()
  /** How often each entrance gave each answer. */
  readonly answers: readonly Record<Outcome, number>[]
  /** How many events were acknowledged. */
  size = 0
  /** The longest time that an append took, in milliseconds. */
  slowestMs = 0

  constructor(entrances: readonly Entrance[]) {
    this.#entrances = entrances
    this.answers = entrances.map(() => ({ written: 0, overloaded: 0, append_unknown: 0 }))
  }

  /** How many events of the longest run were acknowledged. */
  get longest(): number {
    return Math.max(0, ...[...this.#accounts.values()].map(({ acknowledged }) => acknowledged.length))
  }

  /** The names of the runs that are compared. */
  get runs(): readonly string[] {
    return [...this.#accounts.keys()]
  }

  /** Makes a run, once the servers take one; gives its epoch. */
  async begin(run_id: string): Promise<string> {
    const entrance = this.#entrances[0]!
    const started = { type: 'RUN_STARTED', threadId: 't', runId: run_id }
    let epoch: string | undefined
    const make = async (): Promise<boolean> => {
      epoch ??= await entrance.begin(run_id)
      return (await entrance.append(run_id, started, `"${epoch}-0"`)).is === 'written'
    }
    const again = (): boolean => {
      // The run may be gone, and one that is made anew has another epoch.
      epoch = undefined
      return false
    }
    await until(`the run ${run_id}`, () => make().catch(again), BEGUN_MS)
    this.#accounts.set(run_id, { acknowledged: [{ name: started.type, seq: 1 }], isFinished: false })
    this.size++
    return epoch!
  }

  /** Appends through an entrance, once. With a position the event is there if another attempt has written it. */
  append(entrance: number, run_id: string, name: string, match?: string): Promise<Outcome> {
    return this.#append(entrance, run_id, name, { type: 'CUSTOM', name, value: null }, match)
  }

  /** Ends a run, as `append`. */
  async finish(entrance: number, run_id: string, match: string): Promise<Outcome> {
    const event = { type: 'RUN_FINISHED', threadId: 't', runId: run_id }
    const is = await this.#append(entrance, run_id, event.type, event, match)
    if (is === 'written') this.#accounts.get(run_id)!.isFinished = true
    return is
  }

  /** Compares runs, all by default, with the ledger, as an entrance shows them. */
  async problems(entrance: number, runs: readonly string[] = this.runs): Promise<Problem[]> {
    const found: Problem[] = []
    for (const run_id of runs) {
      // Writers go on meanwhile.
      const acknowledged = [...this.#accounts.get(run_id)!.acknowledged]
      const last = Math.max(...acknowledged.map(({ seq }) => seq))
      const problem = (text: string, isLate: boolean): void => void found.push({ run_id, text, isLate })
      try {
        const { names, isWhole } = await this.#entrances[entrance]!.read(run_id, last)
        for (const { name, seq } of acknowledged) {
          const there = names[seq - 1]
          if (there === name) continue
          problem(`${name} was acknowledged at ${seq}, where ${there} is`, !isWhole && seq > names.length)
        }
        for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index)))
          problem(`${name} is there more than once`, false)
      } catch (error) {
        problem(String(error), true)
      }
    }
    return found
  }

  /** Compares no longer the runs that have ended, but the newest ones: nodes keep them for some time alone. */
  forget(keep: number): void {
    const finished = [...this.#accounts].filter(([, { isFinished }]) => isFinished)
    for (const [run_id] of finished.slice(0, Math.max(0, finished.length - keep))) this.#accounts.delete(run_id)
  }

  async #append(
    entrance: number,
    run_id: string,
    name: string,
    event: LedgerEvent,
    match: string | undefined,
  ): Promise<Outcome> {
    const since = performance.now()
    const { is, seq } = await this.#entrances[entrance]!.append(run_id, event, match)
    this.slowestMs = Math.max(this.slowestMs, performance.now() - since)
    this.answers[entrance]![is]++
    if (is !== 'written') return is
    const at = match === undefined ? seq! : Number(/-(\d+)"$/.exec(match)![1]) + 1
    this.#accounts.get(run_id)!.acknowledged.push({ name, seq: at })
    this.size++
    return is
  }
}
