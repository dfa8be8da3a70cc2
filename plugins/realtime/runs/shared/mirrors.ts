import type { Logger } from '../../../../core/kernel/log.ts'
import type { OpenStream } from '../../streams/api.ts'
import type { RunOwner } from '../api.ts'
import type { RunManagerOptions } from '../manager.ts'
import type { Run } from '../run.ts'
import { Shares } from '../shares.ts'
import type { Slices } from '../slices.ts'
import type { RunBase, RunName, RunStore } from './api.ts'
import type { Directory } from './directory.ts'
import { type Entry, keyOf } from './entry.ts'
import { tryAgain } from './errors.ts'
import { Mirror } from './mirror.ts'
import { savePoint } from './saved-point.ts'
import { SharedRun } from './shared-run.ts'

/** How long a copy without readers and appends stays in memory, in milliseconds. */
const idleMs = 60_000

/** How long it may take to read a run, and to bring a copy up to date, in milliseconds. */
const hydrateMs = 10_000
const newsMs = 2_000

/** How often copies are checked for missing appends, in milliseconds. */
const lookMs = 2_000

/** What `Mirrors` works with. */
export interface MirrorsOptions extends RunManagerOptions {
  readonly store: RunStore
  readonly log: Logger
  readonly slices: Slices
  readonly directory: Directory
}

/** The copies of runs that this node has in memory, and the bytes that they take. */
export class Mirrors {
  readonly shares: Shares<Run>
  readonly #options: MirrorsOptions
  readonly #mirrors = new Map<string, Mirror>()
  readonly #opening = new Map<string, Promise<Mirror>>()
  readonly #shortening = new Set<Mirror>()
  #timer: unknown

  constructor(options: MirrorsOptions) {
    this.#options = options
    this.shares = new Shares<Run>({
      ...options,
      monotonic: () => options.clock.monotonic(),
      forget: () => undefined,
    })
  }

  /** A copy that is complete; undefined while it is being read. */
  held(name: RunName): Mirror | undefined {
    const key = keyOf(name)
    return this.#opening.has(key) ? undefined : this.#mirrors.get(key)
  }

  /**
   * Makes room for bytes of an owner in the memory of this node, by dropping copies without readers and appends. Copies
   * of removed runs count for as long as they have readers.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  admit(owner: RunOwner, bytes: number): void {
    try {
      this.shares.admit(owner, bytes)
    } catch {
      for (const mirror of [...this.#mirrors.values()]) if (mirror.isIdle) mirror.drop()
      this.shares.admit(owner, bytes)
    }
  }

  /** A copy that is up to date. @throws SvcError `overloaded`, `rate_limited` */
  async get(entry: Entry): Promise<Mirror> {
    const { clock } = this.#options
    const key = keyOf(entry.name)
    const { position } = entry.head
    // Calls during a read share it.
    const held = (await this.#opening.get(key)?.catch(() => undefined)) ?? this.#mirrors.get(key)
    if (held?.run.epoch === entry.record.epoch && (await held.reachSurely(position, newsMs))) {
      held.usedAt = clock.monotonic()
      return held
    }
    held?.drop()
    const opening = this.#opening.get(key) ?? this.#open(entry).finally(() => this.#opening.delete(key))
    this.#opening.set(key, opening)
    return opening
  }

  /** Resolves once the state of a run is computed from its log. @throws SvcError `overloaded` */
  async understand(mirror: Mirror): Promise<void> {
    try {
      await mirror.run.understand(this.#options.slices)
    } catch (error) {
      mirror.drop(error)
      throw tryAgain(error)
    }
    this.shares.weigh(mirror.run)
  }

  /** Keeps a run in memory while a reader is there. */
  hold(run: Run, reader: OpenStream): void {
    const mirror = this.#mirrors.get(keyOf(run.record))
    if (mirror?.run !== run) {
      reader.interrupt()
      return
    }
    mirror.readers.add(reader)
    reader.onClose(() => {
      mirror.readers.delete(reader)
      mirror.usedAt = this.#options.clock.monotonic()
    })
  }

  /** Writes a base and cuts the store's log there, if much of the log is no longer retained. */
  shorten(mirror: Mirror): void {
    const { runMaxEvents } = this.#options
    const { marks, run } = mirror
    const { base } = run.feed.ring
    const [oldest] = marks
    if (oldest === undefined || this.#shortening.has(mirror)) return
    const gone = marks.findLast(({ first }) => first <= base)
    if (base - oldest.first < Math.max(1, runMaxEvents / 4) || gone === undefined || gone === oldest) return
    this.#shortening.add(mirror)
    const { slices, store, log } = this.#options
    const from = gone.position
    store
      .keep(mirror.name, { epoch: run.epoch, sequence: base - 1 }, savePoint(run.beginning, slices), from)
      .then(() =>
        marks.splice(
          0,
          marks.findIndex(({ position }) => position >= from),
        ),
      )
      .catch((error: unknown) => log.debug('The log of a run could not be shortened.', { error }))
      .finally(() => this.#shortening.delete(mirror))
  }

  close(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    for (const mirror of [...this.#mirrors.values()]) mirror.drop()
    this.shares.clear()
  }

  async #open(entry: Entry): Promise<Mirror> {
    const { store, directory } = this.#options
    let wanted: Entry | undefined = entry
    for (let attempt = 0; attempt < 3 && wanted !== undefined; attempt++) {
      this.admit(wanted.record.owner, wanted.bytes)
      // A run that has its first event has no base. If it was cut meanwhile, the next attempt reads the base.
      const isWhole = wanted.record.first_seq === 1 && attempt === 0
      const base = isWhole
        ? undefined
        : await store.read(wanted.name).catch((cause: unknown) => {
            throw tryAgain(cause)
          })
      const matchingBase = base?.epoch === wanted.record.epoch ? base : undefined
      // If counted events did not agree with a head, the next attempt reads every head.
      const mirror = this.#make(wanted, matchingBase, attempt > 0)
      mirror.busy++
      const reached = await mirror.reach(wanted.head.position, hydrateMs)
      mirror.busy--
      if (reached) return mirror
      mirror.drop()
      // The log may have been cut meanwhile, or the name belongs to another run now.
      wanted = directory.get(wanted.name)
    }
    throw tryAgain()
  }

  #make(entry: Entry, base: RunBase | undefined, strict: boolean): Mirror {
    const { clock, slices, store, log } = this.#options
    const { run_id, thread_id, owner, created_at_ms, epoch, agent } = entry.record
    const run = new SharedRun({
      ...this.#options,
      record: { run_id, thread_id, owner, created_at_ms, epoch, agent },
      startedAt: clock.monotonic(),
      slices,
      inTurn: this.shares.owner(owner).inTurn,
      toldBytes: entry.bytes,
    })
    const key = keyOf(entry.name)
    const mirror = new Mirror({
      ...{ store, clock, run, base, strict, name: entry.name, since: entry.head.position },
      onTaken: () => this.shares.weigh(run),
      onDropped: (error) => {
        if (error !== undefined) log.debug('A run is no longer followed.', { error })
        if (this.#mirrors.get(key) !== mirror) return
        this.#mirrors.delete(key)
        this.shares.remove(run)
      },
    })
    this.shares.add(run)
    this.#mirrors.set(key, mirror)
    this.#timer ??= this.#later()
    return mirror
  }

  #later(): unknown {
    const { clock } = this.#options
    return clock.setTimeout(() => {
      void this.#look().finally(() => {
        this.#timer = this.#mirrors.size > 0 && this.#timer !== undefined ? this.#later() : undefined
      })
    }, lookMs)
  }

  /** Checks all copies, because a store can stop to deliver without an error, as when one of its servers is killed. */
  async #look(): Promise<void> {
    const { clock, store, directory } = this.#options
    if (!store.away) await store.current().catch(() => undefined)
    const now = clock.monotonic()
    for (const mirror of [...this.#mirrors.values()]) {
      const entry = directory.get(mirror.name)
      // Without an entry the run is gone from the store, perhaps without a mark.
      if (entry === undefined || (mirror.isIdle && now - mirror.usedAt > idleMs)) mirror.drop()
      else mirror.look(entry.head.position)
    }
  }
}
