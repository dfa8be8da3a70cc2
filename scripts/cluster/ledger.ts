/** Records the acknowledged appends of writers, and compares the runs with this ledger. */
import { until } from '../until.ts'

/** An AG-UI event of a ledger. */
export interface LedgerEvent {
  readonly type: string
  readonly [member: string]: unknown
}

/** The outcome of an append. */
export type Outcome = 'written' | 'overloaded' | 'append_unknown'

/** Access to the runs: a node, or the load balancer in front of all nodes. */
export interface Entrance {
  /** Creates a run unless it exists. Resolves to its epoch. */
  begin(run_id: string): Promise<string>
  /**
   * Appends an event once. Resolves to its sequence number if it is written.
   * @throws Error for any other answer
   */
  append(run_id: string, event: LedgerEvent, match?: string): Promise<{ readonly is: Outcome; readonly seq?: number }>
  /**
   * Reads the events of a run in order, at least up to the sequence `last`. Each is given by its name, or by its type
   * if it has no name.
   */
  read(run_id: string, last: number): Promise<Reading>
}

/** The events that were read from a run. */
export interface Reading {
  readonly names: readonly (string | undefined)[]
  /** Whether the run certainly ends here. If false, more events can follow. */
  readonly isWhole: boolean
}

/** A difference between the ledger and a run. */
export interface Problem {
  readonly run_id: string
  readonly text: string
  /** Whether the difference can disappear in a later comparison. */
  readonly isLate: boolean
}

/** The ledger entry of a run. */
interface Account {
  readonly acknowledged: { readonly name: string; readonly seq: number }[]
  isFinished: boolean
}

/** Longest time in milliseconds until servers accept a new run. */
const BEGUN_MS = 60_000

/** The runs of some writers, and their acknowledged events. */
export class Ledger {
  readonly #entrances: readonly Entrance[]
  readonly #accounts = new Map<string, Account>()
  /** Number of outcomes of each kind, by entrance. */
  readonly answers: readonly Record<Outcome, number>[]
  /** Number of acknowledged events. */
  size = 0
  /** The longest duration of an append, in milliseconds. */
  slowestMs = 0

  constructor(entrances: readonly Entrance[]) {
    this.#entrances = entrances
    this.answers = entrances.map(() => ({ written: 0, overloaded: 0, append_unknown: 0 }))
  }

  /** Ids of the compared runs. */
  get runs(): readonly string[] {
    return [...this.#accounts.keys()]
  }

  /** Creates a run as soon as the servers accept it. Resolves to its epoch. */
  async begin(run_id: string): Promise<string> {
    const entrance = this.#entrances[0]!
    const started = { type: 'RUN_STARTED', threadId: 't', runId: run_id }
    let epoch: string | undefined
    const make = async (): Promise<boolean> => {
      epoch ??= await entrance.begin(run_id)
      return (await entrance.append(run_id, started, `"${epoch}-0"`)).is === 'written'
    }
    const again = (): boolean => {
      // The run may be lost, and a new run has another epoch.
      epoch = undefined
      return false
    }
    await until(`the run ${run_id}`, () => make().catch(again), BEGUN_MS)
    this.#accounts.set(run_id, { acknowledged: [{ name: started.type, seq: 1 }], isFinished: false })
    this.size++
    return epoch!
  }

  /**
   * Appends through an entrance, once. With `match`, a position, the append also succeeds if an earlier attempt has
   * written the event.
   */
  append(entrance: number, run_id: string, name: string, match?: string): Promise<Outcome> {
    return this.#append(entrance, run_id, name, { type: 'CUSTOM', name, value: null }, match)
  }

  /** Ends a run, in the same way as `append`. */
  async finish(entrance: number, run_id: string, match: string): Promise<Outcome> {
    const event = { type: 'RUN_FINISHED', threadId: 't', runId: run_id }
    const is = await this.#append(entrance, run_id, event.type, event, match)
    if (is === 'written') this.#accounts.get(run_id)!.isFinished = true
    return is
  }

  /** Compares runs (by default all) with the ledger, as seen through an entrance. */
  async problems(entrance: number, runs: readonly string[] = this.runs): Promise<Problem[]> {
    const problems: Problem[] = []
    for (const run_id of runs) {
      // Copied, because writers continue during the comparison.
      const acknowledged = [...this.#accounts.get(run_id)!.acknowledged]
      const last = Math.max(...acknowledged.map(({ seq }) => seq))
      const problem = (text: string, isLate: boolean): void => void problems.push({ run_id, text, isLate })
      try {
        const { names, isWhole } = await this.#entrances[entrance]!.read(run_id, last)
        for (const { name, seq } of acknowledged) {
          const actualName = names[seq - 1]
          if (actualName === name) continue
          problem(`${name} was acknowledged at ${seq}, where ${actualName} is`, !isWhole && seq > names.length)
        }
        for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index)))
          problem(`${name} is there more than once`, false)
      } catch (error) {
        problem(String(error), true)
      }
    }
    return problems
  }

  /** Stops comparing ended runs except the newest `keep`, because nodes retain ended runs only for some time. */
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
