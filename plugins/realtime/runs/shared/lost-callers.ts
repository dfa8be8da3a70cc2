import type { StreamClock } from '../../streams/soon.ts'
import type { AgUiEvent } from '../event-shape.ts'
import type { Callers, RunStore } from './api.ts'
import type { Directory } from './directory.ts'
import type { Entry } from './entry.ts'

/** Time between two looks at the nodes that call agents, in milliseconds. */
const LOOK_MS = 5_000

/**
 * Looks in a row that find a node silent, after which its runs end: 40 s, more than the 30 s after which a silent node
 * has ended its calls itself. Looks are counted, so that a time in which this node has no connection does not count as
 * silence of others.
 */
const LOOKS = 8

/** Runs that are ended at a time. */
const BATCH = 16

/** The last event of a run whose node has ended. */
const ORPHANED: AgUiEvent = {
  type: 'RUN_ERROR',
  message: 'The node that called the agent has ended.',
  code: 'svc.run.orphaned',
}

/** What `LostCallers` works with. */
export interface LostCallersOptions {
  readonly clock: StreamClock
  readonly callers: Callers
  readonly store: Pick<RunStore, 'away' | 'lease'>
  readonly directory: Pick<Directory, 'entries'>
  readonly end: (entry: Entry, event: AgUiEvent) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/**
 * Ends the runs of nodes that called agents and are gone. Every node looks at every other one; the node that holds the
 * lease ends the runs. Silence is what this node sees, so clocks are not compared.
 */
export class LostCallers {
  readonly #options: LostCallersOptions
  readonly #seen = new Map<string, { readonly mark: number; looks: number }>()
  #timer: unknown
  #stopped = false

  constructor(options: LostCallersOptions) {
    this.#options = options
    this.#later()
  }

  stop(): void {
    this.#stopped = true
    this.#options.clock.clearTimeout(this.#timer)
  }

  #later(): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#round()
        .catch(this.#options.onError)
        .finally(() => this.#stopped || this.#later())
    }, LOOK_MS)
  }

  async #round(): Promise<void> {
    const called = this.#runs()
    for (const node of this.#seen.keys()) if (!called.has(node)) this.#seen.delete(node)
    for (const [node, entries] of called) if (await this.#isSilent(node)) await this.#endAll(node, entries)
  }

  /** The running runs of each other node that calls their agents. */
  #runs(): ReadonlyMap<string, readonly Entry[]> {
    const { directory, callers } = this.#options
    const called = new Map<string, Entry[]>()
    for (const entry of directory.entries) {
      const { caller } = entry
      if (caller === undefined || caller === callers.own) continue
      const others = called.get(caller)
      if (others === undefined) called.set(caller, [entry])
      else others.push(entry)
    }
    return called
  }

  async #isSilent(node: string): Promise<boolean> {
    const { callers, store } = this.#options
    const mark = store.away ? undefined : await callers.markOf(node).catch(() => undefined)
    const observation = this.#seen.get(node)
    if (mark === undefined) this.#seen.delete(node)
    else if (observation?.mark === mark) return ++observation.looks >= LOOKS
    else this.#seen.set(node, { mark, looks: 0 })
    return false
  }

  async #endAll(node: string, entries: readonly Entry[]): Promise<void> {
    const { callers, store, end, onError } = this.#options
    if (!(await store.lease())) return
    for (let from = 0; from < entries.length; from += BATCH)
      await Promise.all(
        entries.slice(from, from + BATCH).map((entry) =>
          end(entry, ORPHANED).catch((error: unknown) => {
            // It may have ended meanwhile. Otherwise the next round tries again.
            if (entry.caller !== undefined) onError(error)
          }),
        ),
      )
    if (entries.every(({ caller }) => caller === undefined)) await callers.forget(node)
  }
}
