/**
 * The running runs of this process that acting keys have created: those of one key for all its users and itself
 * together.
 */

import type { Identity } from '../../../core/http/identity.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { shareOf } from '../../../core/kernel/values.ts'
import type { Delegation } from '../../auth/api.ts'
import type { RunRecord } from './api.ts'
import type { RunNumbers } from './settings.ts'

/** Counts and limits them. */
export interface ActingRuns {
  /**
   * Creates a run of a caller, which counts until it has ended.
   * @throws SvcError `rate_limited` if the acting key of the caller has as many as it may
   */
  create(caller: Identity, work: () => Promise<RunRecord>): Promise<RunRecord>
  /** To be called with each run that has ended or is gone. */
  over(record: RunRecord): void
}

/** Creates the counts. Without `Delegation` nobody acts for others. */
export function createActingRuns(
  delegation: Delegation | undefined,
  { maxRunningRuns, runsTenantShare }: Pick<RunNumbers, 'maxRunningRuns' | 'runsTenantShare'>,
): ActingRuns {
  const most = shareOf(shareOf(maxRunningRuns, runsTenantShare), delegation?.actingKeyShare ?? 1)
  const counts = new Map<string, number>()
  /** The acting key of each counted run. */
  const keys = new Map<string, string>()
  const count = (key: string, step: number): void => {
    const next = (counts.get(key) ?? 0) + step
    if (next > 0) counts.set(key, next)
    else counts.delete(key)
  }
  return {
    async create(caller, work) {
      const key = delegation?.actingKey(caller) ?? null
      if (key === null) return work()
      if ((counts.get(key) ?? 0) >= most)
        throw httpFail('rate_limited', {
          message: 'This acting key has as many running runs as it may have.',
          headers: { 'retry-after': '5' },
        })
      count(key, 1)
      try {
        const record = await work()
        keys.set(nameOf(record), key)
        return record
      } catch (error) {
        count(key, -1)
        throw error
      }
    },
    over(record) {
      const key = keys.get(nameOf(record))
      if (key !== undefined && keys.delete(nameOf(record))) count(key, -1)
    },
  }
}

/** The epoch tells a run from one that is created later under its name. */
function nameOf({ owner: { tenant_id, user_id }, run_id, epoch }: RunRecord): string {
  return JSON.stringify([tenant_id, user_id, run_id, epoch])
}
