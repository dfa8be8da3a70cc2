import { httpFail } from '../../../core/catalogue.ts'
import { createSerialQueue } from '../../../core/serial-queue.ts'
import type { RunOwner } from '../api.ts'

/** A run whose bytes are counted. */
export interface Counted {
  readonly record: { readonly run_id: string; readonly owner: RunOwner }
  readonly bytes: number
  /** About how many bytes a prelude of it takes. */
  readonly preludeBytes: number
  readonly preludes: { clear(): void }
}

/** How many bytes runs may take, and how much work large ones may cause. */
export interface ShareOptions<R extends Counted> {
  readonly runsMaxBytes: number
  /** Shares of `runsMaxBytes`, 0 to 1. */
  readonly runsIdentityShare: number
  readonly runsTenantShare: number
  readonly maxFinishedRuns: number
  /** Elements per second that the events of one identity may touch, beyond those that they contain. */
  readonly runWorkPerSecond: number
  /** Milliseconds, never going back. */
  readonly monotonic: () => number
  /** Removes a finished run. It calls `remove`. */
  readonly forget: (run: R) => void
}

/** Bytes of events that pay for one element. Most elements of an event take more bytes. */
const ELEMENT_BYTES = 32

/** When a refused caller may try again. */
export const later: { readonly headers: Readonly<Record<string, string>> } = { headers: { 'retry-after': '5' } }

/** The bytes of one holder. */
interface Account<R> {
  bytes: number
  /** Ended runs, oldest first. */
  readonly finished: Set<R>
}

/** One identity: its runs, their bytes, and the work that it may still cause. */
export interface Owner<R> extends Account<R> {
  readonly runs: Map<string, R>
  readonly tenant: Account<R> & { owners: number }
  work: number
  workAt: number
  /** Runs work when all earlier work for this identity is done. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * Counts the bytes of the runs of each identity, each tenant and the process. An identity that would exceed its share loses its own
 * oldest finished runs, and is then refused. Runs of others are never removed for it.
 */
export class Shares<R extends Counted> {
  readonly #options: ShareOptions<R>
  readonly #owners = new Map<string, Owner<R>>()
  readonly #tenants = new Map<string | null, Owner<R>['tenant']>()
  readonly #all: Account<R> = { bytes: 0, finished: new Set() }
  /** The owner of each run, and its bytes at the last count. */
  readonly #runs = new Map<R, { readonly owner: Owner<R>; bytes: number }>()

  constructor(options: ShareOptions<R>) {
    this.#options = options
  }

  /** All runs. */
  get runs(): readonly R[] {
    return [...this.#runs.keys()]
  }

  find(owner: RunOwner): Owner<R> | undefined {
    return this.#owners.get(ownerKey(owner))
  }

  /** The account of an owner, created if there is none. It is kept once a run is added. */
  owner({ tenant_id, user_id }: RunOwner): Owner<R> {
    const known = this.find({ tenant_id, user_id })
    if (known !== undefined) return known
    const tenant = this.#tenants.get(tenant_id) ?? { bytes: 0, finished: new Set(), owners: 0 }
    const { runWorkPerSecond, monotonic } = this.#options
    return {
      bytes: 0,
      finished: new Set(),
      runs: new Map(),
      tenant,
      work: runWorkPerSecond,
      workAt: monotonic(),
      inTurn: createSerialQueue(),
    }
  }

  /**
   * Makes room for a number of bytes of an owner.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  admit(who: RunOwner, bytes: number): void {
    const owner = this.owner(who)
    for (const [account, limit] of this.#limits(owner)) {
      const over = (): boolean => account.bytes + bytes > limit
      if (over()) this.#clearPreludes(owner)
      for (const run of (account === this.#all ? owner : account).finished) {
        if (!over()) break
        this.#options.forget(run)
      }
      if (over()) throw this.#refusal(account)
    }
  }

  /** Refuses a reader whose prelude its owner has no room for. @throws SvcError `rate_limited`, `overloaded` */
  admitPrelude(run: R): void {
    const owner = this.owner(run.record.owner)
    const over = (): Account<R> | undefined =>
      this.#limits(owner).find(([account, limit]) => account.bytes + run.preludeBytes > limit)?.[0]
    if (over() !== undefined) this.#clearPreludes(owner)
    const account = over()
    if (account !== undefined) throw this.#refusal(account)
  }

  /** Does an owner's work on a run, and counts the touched elements beyond those that `bytes` of events bring. */
  working(run: R, bytes: number, work: (left: { left: number }) => void): void {
    const { monotonic, runWorkPerSecond } = this.#options
    const owner = this.#runs.get(run)!.owner
    const now = monotonic()
    owner.work = Math.min(runWorkPerSecond, owner.work + ((now - owner.workAt) / 1_000) * runWorkPerSecond)
    owner.workAt = now
    const left = { left: Math.max(0, owner.work) + bytes / ELEMENT_BYTES }
    try {
      work(left)
    } finally {
      owner.work = Math.min(owner.work, left.left)
      this.weigh(run)
    }
  }

  add(run: R): void {
    const { owner: who, run_id } = run.record
    const owner = this.owner(who)
    if (!this.#owners.has(ownerKey(who))) {
      this.#owners.set(ownerKey(who), owner)
      this.#tenants.set(who.tenant_id, owner.tenant)
      owner.tenant.owners++
    }
    owner.runs.set(run_id, run)
    this.#runs.set(run, { owner, bytes: 0 })
    this.weigh(run)
  }

  /** Updates the bytes of a run. */
  weigh(run: R): void {
    const held = this.#runs.get(run)
    // The run may have been removed: a reader may still hold it for a while.
    if (held !== undefined) this.#count(held, run.bytes)
  }

  /** Updates the bytes of a run that made preludes, and removes them if there is no room. */
  settle(run: R): void {
    this.weigh(run)
    const owner = this.#runs.get(run)?.owner
    if (owner === undefined || this.#limits(owner).every(([{ bytes }, limit]) => bytes <= limit)) return
    run.preludes.clear()
    this.weigh(run)
  }

  /** Counts a run among the finished ones, as the newest of them. */
  finish(run: R): void {
    for (const { finished } of this.#accounts(this.#runs.get(run)!.owner)) finished.add(run)
  }

  /** Puts the finished runs in order, the oldest first. */
  sortFinished(compare: (one: R, other: R) => number): void {
    for (const run of [...this.#all.finished].sort(compare)) {
      for (const { finished } of this.#accounts(this.#runs.get(run)!.owner)) {
        finished.delete(run)
        finished.add(run)
      }
    }
  }

  /**
   * Removes finished runs until at most `maxFinishedRuns` are left: each time the oldest of the owner that has the
   * most. Among owners that have equally many, the oldest run goes, so that all nodes of a cluster choose the same one.
   */
  limitFinished(): void {
    const { forget, maxFinishedRuns } = this.#options
    while (this.#all.finished.size > maxFinishedRuns) {
      let most = 0
      for (const { finished } of this.#owners.values()) most = Math.max(most, finished.size)
      for (const run of this.#all.finished) {
        if (this.#runs.get(run)!.owner.finished.size < most) continue
        forget(run)
        break
      }
    }
  }

  remove(run: R): void {
    const { owner: who, run_id } = run.record
    const held = this.#runs.get(run)!
    const { owner } = held
    this.#count(held, 0)
    for (const { finished } of this.#accounts(owner)) finished.delete(run)
    this.#runs.delete(run)
    owner.runs.delete(run_id)
    if (owner.runs.size > 0) return
    this.#owners.delete(ownerKey(who))
    if (--owner.tenant.owners === 0) this.#tenants.delete(who.tenant_id)
  }

  clear(): void {
    this.#owners.clear()
    this.#tenants.clear()
    this.#runs.clear()
  }

  #limits(owner: Owner<R>): readonly (readonly [Account<R>, number])[] {
    const { runsMaxBytes, runsIdentityShare, runsTenantShare } = this.#options
    return [
      [owner, runsMaxBytes * runsIdentityShare],
      [owner.tenant, runsMaxBytes * runsTenantShare],
      [this.#all, runsMaxBytes],
    ]
  }

  #refusal(account: Account<R>): Error {
    if (account === this.#all) return httpFail('overloaded', later)
    return httpFail('rate_limited', { message: 'The runs of this caller hold what they may.', ...later })
  }

  #clearPreludes(owner: Owner<R>): void {
    for (const run of owner.runs.values()) {
      run.preludes.clear()
      this.weigh(run)
    }
  }

  #accounts(owner: Owner<R>): readonly Account<R>[] {
    return [owner, owner.tenant, this.#all]
  }

  #count(held: { readonly owner: Owner<R>; bytes: number }, bytes: number): void {
    for (const account of this.#accounts(held.owner)) account.bytes += bytes - held.bytes
    held.bytes = bytes
  }
}

function ownerKey({ tenant_id, user_id }: RunOwner): string {
  return JSON.stringify([tenant_id, user_id])
}
