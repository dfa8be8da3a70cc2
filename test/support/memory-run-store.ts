/**
 * The logs of runs that several nodes share, in memory: one log per run, one position per append. A mark that a run is
 * gone replaces the log of the run.
 */
import type { Awaitable } from '../../core/kernel/values.ts'
import type {
  RunAppended,
  RunFollower,
  RunHead,
  RunName,
  RunStore,
  RunsWatcher,
} from '../../plugins/realtime/runs/shared/api.ts'

interface Message {
  readonly position: number
  /** Undefined for a message that no node wrote. */
  readonly head: RunHead | undefined
  readonly events: readonly string[]
}

interface Following {
  readonly run: string
  readonly follower: RunFollower
  readonly store: NodeStore
  /** The newest position that the follower has received. */
  last: number
  isSilent: boolean
}

/** The store of one node. */
export interface NodeStore extends RunStore {
  away: boolean
  /**
   * Gives the answer of an append of this node in place of the append itself, or undefined to do the append. Called
   * once for each append, with its time limit.
   */
  answer: ((run: RunHead, limitMs: number | undefined) => Awaitable<RunAppended | undefined>) | undefined
  /** Stops deliveries to the followers that this node has for a run, until they call `renew`. */
  silence(run: RunName): void
}

/** The logs that the nodes share. */
export class MemoryRuns {
  readonly #messages = new Map<string, Message[]>()
  readonly #watchers = new Set<RunsWatcher>()
  readonly #followers = new Set<Following>()
  #position = 0
  #leader: NodeStore | undefined

  /** The messages of a run. */
  log(run: RunName): readonly Message[] {
    return this.#messages.get(keyOf(run)) ?? []
  }

  /** Inserts a message that no node wrote into the log of a run, before its newest message. */
  smuggle(run: RunName, events: readonly string[]): void {
    const log = this.log(run)
    const last = log.at(-1)!
    this.#messages.set(keyOf(run), [
      ...log.slice(0, -1),
      { position: last.position - 0.5, head: undefined, events },
      last,
    ])
  }

  #put(run: RunName, head: RunHead, events: readonly string[]): number {
    const key = keyOf(run)
    const message = { position: ++this.#position, head, events }
    this.#messages.set(key, [...(head.gone ? [] : this.log(run)), message])
    for (const watcher of this.#watchers) watcher.head({ ...head, position: message.position })
    for (const following of this.#followers) {
      if (following.run !== key || following.isSilent) continue
      following.last = message.position
      following.follower.batch({ ...head, position: message.position }, events)
    }
    return message.position
  }

  /** Creates the store of one more node. */
  node(): NodeStore {
    const store: NodeStore = {
      away: false,
      answer: undefined,
      maxBatchBytes: 786_432,
      append: async (head, events, expected, limitMs) => {
        const answer = await store.answer?.(head, limitMs)
        if (answer !== undefined) return answer
        if ((this.log(head.record).at(-1)?.position ?? 0) !== expected) return { is: 'moved' }
        return { is: 'written', position: this.#put(head.record, head, events) }
      },
      read: async () => undefined,
      follow: (run, after, follower) =>
        this.#follow({ run: keyOf(run), follower, store, last: after, isSilent: false }),
      silence: (run) => {
        for (const following of this.#followers)
          if (following.store === store && following.run === keyOf(run)) following.isSilent = true
      },
      watch: (watcher) => {
        this.#watchers.add(watcher)
        watcher.begin()
        for (const log of this.#messages.values())
          watcher.head({ ...log.at(-1)!.head!, position: log.at(-1)!.position })
        watcher.complete()
      },
      current: async () => undefined,
      keep: async () => undefined,
      forget: async (run, position) => {
        const remaining = this.log(run).filter((message) => message.position > position)
        if (remaining.length > 0) this.#messages.set(keyOf(run), remaining)
        else this.#messages.delete(keyOf(run))
      },
      lease: async () => (this.#leader ??= store) === store,
    }
    return store
  }

  #follow(following: Following): { renew(): void; close(): void } {
    this.#followers.add(following)
    const deliver = (): void => {
      const log = (this.#messages.get(following.run) ?? []).filter(({ position }) => position > following.last)
      for (const [index, { position, head, events }] of log.entries()) {
        if (!this.#followers.has(following)) return
        following.last = position
        // Only the first and the last message are delivered with their heads, as for a long log.
        const isBetween = index > 0 && index < log.length - 1
        if (isBetween && following.follower.earlier !== undefined) following.follower.earlier({ position }, events)
        else if (head !== undefined) following.follower.batch({ ...head, position }, events)
      }
    }
    queueMicrotask(deliver)
    return {
      renew: () => {
        following.isSilent = false
        queueMicrotask(deliver)
      },
      close: () => void this.#followers.delete(following),
    }
  }
}

function keyOf({ owner: { tenant_id, user_id }, run_id }: RunName): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}
