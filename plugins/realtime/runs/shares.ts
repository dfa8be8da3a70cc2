import { httpFail } from '../../../core/kernel/catalogue.ts'
import { createSerialQueue } from '../../../core/kernel/serial-queue.ts'
import { shareOf } from '../../../core/kernel/values.ts'
import type { Account, Counted, Held, Owner } from './accounts.ts'
import type { RunOwner, RunOwners } from './api.ts'
import type { RunNumbers } from './settings.ts'

/** How many runs there may be, how many bytes they may take, and how much work large ones may cause. */
export interface ShareOptions<R extends Counted>
  extends Pick<
    RunNumbers,
    | 'runsMaxBytes'
    | 'runsIdentityShare'
    | 'runsTenantShare'
    | 'maxFinishedRuns'
    | 'maxRunningRuns'
    | 'maxRunningRunsPerIdentity'
    | 'runWorkPerSecond'
  > {
  /** Milliseconds, never going back. */
  readonly monotonic: () => number
  /** Removes a finished run. It calls `remove`. */
  readonly forget: (run: R) => void
}

/** Bytes of events that pay for one element. Most elements of an event take more bytes. */
const ELEMENT_BYTES = 32

/** When a refused caller may try again. */
const later: { readonly headers: Readonly<Record<string, string>> } = { headers: { 'retry-after': '5' } }

/**
 * Counts the runs and their bytes for each identity, each tenant and the process. An identity that would exceed its
 * share of the bytes loses its own oldest finished runs, and is then refused. Runs of others are never removed for it.
 * A removed run counts until nobody holds it any more.
 */
export class Shares<R extends Counted> {
  readonly #options: ShareOptions<R>
  readonly #owners = new Map<string, Owner<R>>()
  readonly #tenants = new Map<string | null, Owner<R>['tenant']>()
  readonly #all: Account<R> = { bytes: 0, count: 0, finished: new Set() }
  readonly #runs = new Map<R, Held<R>>()

  constructor(options: ShareOptions<R>) {
    this.#options = options
  }

  /** All runs that are not removed. */
  get runs(): readonly R[] {
    return [...this.#runs].flatMap(([run, { isRemoved }]) => (isRemoved ? [] : [run]))
  }

  /** The runs of the owners that have these members. */
  of({ tenant_id, user_id }: RunOwners): readonly R[] {
    if (tenant_id !== undefined && user_id !== undefined)
      return [...(this.find({ tenant_id, user_id })?.runs.values() ?? [])]
    return [...this.#owners.values()]
      .filter(
        ({ who }) =>
          (tenant_id === undefined || who.tenant_id === tenant_id) &&
          (user_id === undefined || who.user_id === user_id),
      )
      .flatMap(({ runs }) => [...runs.values()])
  }

  find(owner: RunOwner): Owner<R> | undefined {
    return this.#owners.get(ownerKey(owner))
  }

  /** The account of an owner, created if there is none. It is kept once a run is added. */
  owner({ tenant_id, user_id }: RunOwner): Owner<R> {
    const account = this.find({ tenant_id, user_id })
    if (account !== undefined) return account
    const tenant = this.#tenants.get(tenant_id) ?? { bytes: 0, count: 0, finished: new Set(), owners: 0 }
    const { runWorkPerSecond, monotonic } = this.#options
    return {
      who: { tenant_id, user_id },
      bytes: 0,
      count: 0,
      finished: new Set(),
      runs: new Map(),
      tenant,
      held: 0,
      work: runWorkPerSecond,
      workAt: monotonic(),
      inTurn: createSerialQueue(),
    }
  }

  /**
   * Refuses one more running run of an owner.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  admitRun(who: RunOwner): void {
    const { maxRunningRuns, maxRunningRunsPerIdentity, runsTenantShare } = this.#options
    const owner = this.owner(who)
    const isFull = ({ count, finished }: Account<R>, limit: number): boolean => count - finished.size >= limit
    if (isFull(this.#all, maxRunningRuns)) throw this.#refusal(this.#all)
    if (isFull(owner, maxRunningRunsPerIdentity) || isFull(owner.tenant, shareOf(maxRunningRuns, runsTenantShare)))
      throw httpFail('rate_limited', {
        message: 'This caller, or its tenant, has as many running runs as it may.',
        ...later,
      })
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
    owner.held++
    for (const account of this.#accounts(owner)) account.count++
    this.#runs.set(run, { owner, bytes: 0, holders: 0, isRemoved: false })
    this.weigh(run)
  }

  /** Updates the bytes of a run. */
  weigh(run: R): void {
    const held = this.#runs.get(run)
    // The run may be removed, and nobody holds it.
    if (held !== undefined) this.#count(held, run.bytes)
  }

  /** Counts a run until the returned function is called, even if the run is removed meanwhile. */
  hold(run: R): () => void {
    const held = this.#runs.get(run)
    if (held === undefined) return () => undefined
    held.holders++
    return () => {
      held.holders--
      this.#release(run, held)
    }
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

  /** Counts a run among the running ones again. */
  reopen(run: R): void {
    for (const { finished } of this.#accounts(this.#runs.get(run)!.owner)) finished.delete(run)
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

  /** Removes a run from the lists. Its bytes count until nobody holds it. */
  remove(run: R): void {
    const held = this.#runs.get(run)!
    const { owner } = held
    for (const account of this.#accounts(owner)) {
      account.count--
      account.finished.delete(run)
    }
    // The name may belong to a newer run.
    if (owner.runs.get(run.record.run_id) === run) owner.runs.delete(run.record.run_id)
    held.isRemoved = true
    this.weigh(run)
    this.#release(run, held)
  }

  clear(): void {
    this.#owners.clear()
    this.#tenants.clear()
    this.#runs.clear()
    Object.assign(this.#all, { bytes: 0, count: 0 })
    this.#all.finished.clear()
  }

  /** Counts a removed run no longer, once nobody holds it. */
  #release(run: R, held: Held<R>): void {
    if (!held.isRemoved || held.holders > 0 || !this.#runs.delete(run)) return
    const { owner } = held
    this.#count(held, 0)
    owner.held--
    if (owner.held > 0) return
    const { tenant_id } = run.record.owner
    this.#owners.delete(ownerKey(run.record.owner))
    if (--owner.tenant.owners === 0) this.#tenants.delete(tenant_id)
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

  #count(held: Held<R>, bytes: number): void {
    for (const account of this.#accounts(held.owner)) account.bytes += bytes - held.bytes
    held.bytes = bytes
  }
}

function ownerKey({ tenant_id, user_id }: RunOwner): string {
  return JSON.stringify([tenant_id, user_id])
}
