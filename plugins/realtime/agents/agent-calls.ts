/** The calls of agents that are under way in this process, and their limits. */

import type { Identity } from '../../../core/http/identity.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import { shareOf } from '../../../core/kernel/values.ts'
import type { Delegation } from '../../auth/api.ts'
import type { RunOwner } from '../runs/api.ts'
import type { AgentCall } from './agent-call.ts'

/** How many calls there may be. */
export interface AgentCallLimits {
  readonly maxAgentCallsPerIdentity: number
  readonly maxAgentCallsPerTenant: number
  readonly maxAgentCalls: number
}

/** Who acts for others, and how much an acting key may have. */
type Acting = Pick<Delegation, 'actingKey' | 'actingKeyShare'>

/** For whom a call counts. */
interface Place extends RunOwner {
  readonly actingKey: string | null
}

/** All calls of a process. */
export class AgentCalls {
  readonly #limits: AgentCallLimits
  readonly #acting: Acting | undefined
  readonly #owners = new Set<Place>()
  readonly #calls = new Set<AgentCall>()
  #stopping = false
  #stopped = false

  /** Without `acting` nobody acts for others. */
  constructor(limits: AgentCallLimits, acting?: Acting) {
    this.#limits = limits
    this.#acting = acting
  }

  /** How many there are. */
  get size(): number {
    return this.#owners.size
  }

  /**
   * Reserves a place for a call of this caller, which also counts for the key that acts for it. The returned function
   * gives it back.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  admit(caller: Identity): () => void {
    const { maxAgentCalls, maxAgentCallsPerIdentity, maxAgentCallsPerTenant } = this.#limits
    const owner = { user_id: caller.user, tenant_id: caller.tenant }
    const actingKey = this.#acting?.actingKey(caller) ?? null
    const headers = { 'retry-after': '5' }
    if (this.#stopping || this.#owners.size >= maxAgentCalls) throw httpFail('overloaded', { headers })
    const ofTenant = [...this.#owners].filter(({ tenant_id }) => tenant_id === owner.tenant_id)
    if (ofTenant.filter(({ user_id }) => user_id === owner.user_id).length >= maxAgentCallsPerIdentity)
      throw httpFail('rate_limited', {
        message: 'This caller has as many calls of agents under way as it may have.',
        headers,
      })
    if (ofTenant.length >= maxAgentCallsPerTenant)
      throw httpFail('rate_limited', {
        message: 'This tenant has as many calls of agents under way as it may have.',
        headers,
      })
    const ofKey = ofTenant.filter((place) => place.actingKey === actingKey)
    if (actingKey !== null && ofKey.length >= shareOf(maxAgentCallsPerTenant, this.#acting?.actingKeyShare ?? 1))
      throw httpFail('rate_limited', {
        message: 'This acting key has as many calls of agents under way as it may have.',
        headers,
      })
    const place = { ...owner, actingKey }
    this.#owners.add(place)
    return () => void this.#owners.delete(place)
  }

  /** Keeps a call until it is done. One whose run was being begun when the service stopped ends at once. */
  add(call: AgentCall): void {
    if (this.#stopped) call.stop(...orphaned)
    this.#calls.add(call)
    void call.done.finally(() => this.#calls.delete(call))
  }

  /**
   * Admits no more calls, and resolves when those under way are done. After `graceMs` they are ended, with their runs.
   */
  async drain(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>, graceMs: number): Promise<void> {
    this.#stopping = true
    const timer = clock.setTimeout(() => this.#end(), graceMs)
    await this.#done()
    clock.clearTimeout(timer)
  }

  /** Ends the calls that are under way, with their runs. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#end()
    await this.#done()
  }

  #end(): void {
    this.#stopped = true
    for (const call of this.#calls) call.stop(...orphaned)
  }

  async #done(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all([...this.#calls].map(({ done }) => done))
  }
}

const orphaned = ['svc.run.orphaned', 'The service stopped while the run was under way.'] as const
