/** Check 16 of the list in submit-push.ts: the number of targets, their keys, and that they are unique. */

import { dropOldest } from '../../../../core/kernel/values.ts'
import { fromEndpointId, isAdmissibleKey } from '../../../protocol/keys.ts'
import { fail } from '../../errors.ts'

/** The check of a point takes about 1.6 ms, so that four of them block the event loop for less than a frame. */
const POINTS_PER_SLICE = 4
/** Most ids in memory: about 1.5 MB, at 150 bytes each. The oldest is removed first. */
const MAX_REMEMBERED = 10_000

/** Checks target lists. */
export interface EndpointAdmission {
  /** Rejects with `target_invalid`, then `target_duplicate`. */
  admit(endpointIds: readonly string[]): Promise<void>
}

/** Options of the check. */
export interface EndpointAdmissionOptions {
  readonly maxTargets: number
  /** Lets other work of the event loop run between slices. */
  readonly yieldLoop: () => Promise<void>
}

/** Creates a check. Ids that were admitted once are not checked again. */
export function createEndpointAdmission({ maxTargets, yieldLoop }: EndpointAdmissionOptions): EndpointAdmission {
  const admitted = new Set<string>()
  return {
    async admit(endpointIds) {
      if (endpointIds.length > maxTargets)
        throw fail('target_invalid', {
          message: `A push has at most ${maxTargets} targets; this has ${endpointIds.length}.`,
        })
      const unique = new Set(endpointIds)
      const keys = new Map<string, Uint8Array>()
      for (const id of unique) {
        const key = fromEndpointId(id)
        if (key === undefined) throw fail('target_invalid')
        if (!admitted.has(id)) keys.set(id, key)
      }
      let checked = 0
      for (const [id, key] of keys) {
        if (checked > 0 && checked % POINTS_PER_SLICE === 0) await yieldLoop()
        checked++
        if (!isAdmissibleKey(key)) throw fail('target_invalid')
        if (admitted.size >= MAX_REMEMBERED) dropOldest(admitted)
        admitted.add(id)
      }
      if (unique.size !== endpointIds.length) throw fail('target_duplicate')
    },
  }
}
