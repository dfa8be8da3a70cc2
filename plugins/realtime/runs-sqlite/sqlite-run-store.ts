/**
 * The logs of runs in the SQLite store of the node. An append is answered once it is on disk; the store commits the
 * appends and pushes of one turn of the event loop together.
 */
import type { NodeStore } from '../../store/api.ts'
import type {
  RunAppended,
  RunBase,
  RunFollower,
  RunFollowing,
  RunHead,
  RunName,
  RunStore,
  RunsWatcher,
  StoredHead,
} from '../runs/shared/api.ts'
import { Following } from './following.ts'
import {
  deleteAppends,
  deleteBase,
  insertAppend,
  newestPosition,
  readBase,
  readDataVersion,
  readHeads,
  readNews,
  runKey,
  writeBase,
} from './statements.ts'

/** Appends of other processes that are read at a time. */
const SLICE = 64

/** Ended runs lie on disk, so that a failure can be looked at after a week end. */
const RETENTION = { finishedRunTtlMs: 604_800_000, maxFinishedRuns: 10_000 }

/** What the store needs. */
export interface SqliteRunStoreOptions {
  readonly store: Pick<NodeStore, 'read' | 'write'>
  readonly orphanAfterMs: number
  /** The time in Unix ms. */
  readonly now: () => number
  /** Lets other work of the event loop run. */
  readonly yieldLoop: () => Promise<void>
  /** Called if an append could not be written, or appends of another process could not be read. */
  readonly onError: (error: unknown) => void
}

/** Runs that outlive the process. */
export class SqliteRunStore implements RunStore {
  readonly away = false
  /** The limit of request bodies is the only one. */
  readonly maxBatchBytes: number = Number.MAX_SAFE_INTEGER
  readonly orphanAfterMs: number
  readonly retention: NonNullable<RunStore['retention']> = RETENTION
  readonly #options: SqliteRunStoreOptions
  readonly #followings = new Map<string, Set<Following>>()
  #watcher: RunsWatcher | undefined
  /** The watcher and the followers have every append up to this position. */
  #position = 0
  #dataVersion = 0
  /** The keys of runs that cannot be read; their names stay taken. */
  #damaged: ReadonlySet<string> = new Set()

  constructor(options: SqliteRunStoreOptions) {
    this.#options = options
    this.orphanAfterMs = options.orphanAfterMs
  }

  /**
   * Reads the runs of the store, before anything else is asked. Returns the names of runs that are damaged, which do
   * not exist for callers.
   */
  async load(): Promise<readonly string[]> {
    const { heads, damaged, position } = await this.#options.store.read((ledger) => {
      this.#dataVersion = readDataVersion(ledger)
      return readHeads(ledger)
    })
    this.#position = position
    this.#watcher?.begin()
    for (const head of heads) this.#watcher?.head(head)
    this.#watcher?.complete()
    this.#damaged = new Set(damaged)
    return damaged
  }

  async append(head: RunHead, events: readonly string[], expected: number): Promise<RunAppended> {
    const { store, now, onError } = this.#options
    const run = runKey(head.record)
    const atMs = now()
    let position: number | undefined
    try {
      position = await store.write((ledger) => {
        if (newestPosition(ledger, run) !== expected) return undefined
        if (head.gone) {
          deleteAppends(ledger, run, expected)
          deleteBase(ledger, run)
        }
        return insertAppend(ledger, head, events, atMs)
      })
    } catch (error) {
      onError(error)
      return { is: 'refused', cause: error }
    }
    if (position === undefined) return { is: this.#damaged.has(run) ? 'unreadable' : 'moved' }
    // Appends of another process come first. If they cannot be read, this one is on disk all the same.
    if (position > this.#position + 1) await this.#catchUp().catch(onError)
    this.#deliver(run, { ...head, position, atMs }, events)
    return { is: 'written', position }
  }

  read(run: RunName): Promise<RunBase | undefined> {
    return this.#options.store.read((ledger) => readBase(ledger, runKey(run)))
  }

  follow(run: RunName, after: number, follower: RunFollower): RunFollowing {
    const key = runKey(run)
    const following = new Following({ ...this.#options, run: key, after, follower })
    const others = this.#followings.get(key) ?? new Set()
    this.#followings.set(key, others.add(following))
    return {
      renew: () => following.renew(),
      close: () => {
        following.close()
        others.delete(following)
        if (others.size === 0 && this.#followings.get(key) === others) this.#followings.delete(key)
      },
    }
  }

  watch(watcher: RunsWatcher): void {
    this.#watcher = watcher
  }

  /** Costs one small read if no other process has written. */
  async current(): Promise<void> {
    const version = await this.#options.store.read(readDataVersion)
    if (version === this.#dataVersion) return
    await this.#catchUp()
    this.#dataVersion = version
  }

  async keep(name: RunName, base: Omit<RunBase, 'point'>, pieces: AsyncIterable<string>, from: number): Promise<void> {
    let point = ''
    for await (const piece of pieces) point += piece
    const run = runKey(name)
    await this.#options.store.write((ledger) => {
      writeBase(ledger, run, { ...base, point })
      deleteAppends(ledger, run, from - 1)
    })
  }

  async forget(name: RunName, position: number): Promise<void> {
    const run = runKey(name)
    await this.#options.store.write((ledger) => {
      deleteAppends(ledger, run, position)
      if (newestPosition(ledger, run) === 0) deleteBase(ledger, run)
    })
  }

  /**
   * Appends are checked one by one, so that it does no harm if another process on the same store removes old runs too.
   */
  async lease(): Promise<boolean> {
    return true
  }

  /** Delivers what other processes have appended. */
  async #catchUp(): Promise<void> {
    for (;;) {
      const news = await this.#options.store.read((ledger) => readNews(ledger, this.#position, SLICE))
      for (const { run, head, events } of news) this.#deliver(run, head(), events)
      if (news.length < SLICE) return
    }
  }

  #deliver(run: string, head: StoredHead, events: readonly string[]): void {
    if (head.position <= this.#position) return
    this.#position = head.position
    this.#watcher?.head(head)
    for (const following of this.#followings.get(run) ?? []) following.take(head, events)
  }
}
