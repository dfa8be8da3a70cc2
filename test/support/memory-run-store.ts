/** Logs of runs that several nodes share, in memory: a subject a run, a position an append, marks that take the place of all. */
import type { Awaitable } from '../../core/awaitable.ts'
import type { RunAppended, RunFollower, RunHead, RunName, RunStore, RunsWatcher } from '../../plugins/realtime/api.ts'

interface Message {
  readonly position: number
  /** Undefined for what no node wrote. */
  readonly head: RunHead | undefined
  readonly events: readonly string[]
}

interface Following {
  readonly run: string
  readonly follower: RunFollower
  readonly store: NodeStore
  /** The newest position that was told. */
  last: number
  isSilent: boolean
}

/** The store of one node. */
export interface NodeStore extends RunStore {
  away: boolean
  /** What appends of this node are answered with, instead of being done; asked once for each, with its time limit. */
  answer: ((run: RunHead, limitMs: number | undefined) => Awaitable<RunAppended | undefined>) | undefined
  /** Nothing more comes to those of this node who follow a run now, until they ask again. */
  silence(run: RunName): void
}

/** What the nodes share. */
export class MemoryRuns {
  readonly #messages = new Map<string, Message[]>()
  readonly #watchers = new Set<RunsWatcher>()
  readonly #followers = new Set<Following>()
  #position = 0
  #leader: NodeStore | undefined

  /** What there is of a run. */
  log(run: RunName): readonly Message[] {
    return this.#messages.get(keyOf(run)) ?? []
  }

  /** Puts something into the log of a run that no node wrote, before its newest message. */
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
    for (const one of this.#followers) {
      if (one.run !== key || one.isSilent) continue
      one.last = message.position
      one.follower.batch({ ...head, position: message.position }, events)
    }
    return message.position
  }

  /** One more node. */
  node(): NodeStore {
    const store: NodeStore = {
      away: false,
      answer: undefined,
      maxBatchBytes: 786_432,
      append: async (head, events, expected, limitMs) => {
        const said = await store.answer?.(head, limitMs)
        if (said !== undefined) return said
        if ((this.log(head.record).at(-1)?.position ?? 0) !== expected) return { is: 'moved' }
        return { is: 'written', position: this.#put(head.record, head, events) }
      },
      read: async () => undefined,
      follow: (run, after, follower) =>
        this.#follow({ run: keyOf(run), follower, store, last: after, isSilent: false }),
      silence: (run) => {
        for (const one of this.#followers) if (one.store === store && one.run === keyOf(run)) one.isSilent = true
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
        const left = this.log(run).filter((message) => message.position > position)
        if (left.length > 0) this.#messages.set(keyOf(run), left)
        else this.#messages.delete(keyOf(run))
      },
      lease: async () => (this.#leader ??= store) === store,
    }
    return store
  }

  #follow(one: Following): { renew(): void; close(): void } {
    this.#followers.add(one)
    const tell = (): void => {
      const log = (this.#messages.get(one.run) ?? []).filter(({ position }) => position > one.last)
      for (const [index, { position, head, events }] of log.entries()) {
        if (!this.#followers.has(one)) return
        one.last = position
        // The first and the last with their heads, as of a log that is long.
        const isBetween = index > 0 && index < log.length - 1
        if (isBetween && one.follower.earlier !== undefined) one.follower.earlier(position, events)
        else if (head !== undefined) one.follower.batch({ ...head, position }, events)
      }
    }
    queueMicrotask(tell)
    return {
      renew: () => {
        one.isSilent = false
        queueMicrotask(tell)
      },
      close: () => void this.#followers.delete(one),
    }
  }
}

function keyOf({ owner: { tenant_id, user_id }, run_id }: RunName): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}
