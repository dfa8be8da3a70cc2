import { cancelled, noRun } from '../errors.ts'
import type { RunOwner, RunRecord, Runs } from './api.ts'

/**
 * Ends a run as cancelled; one that has ended stays as it is.
 * @throws SvcError `not_found`, `overloaded`, `append_unknown`
 */
export async function cancelRun(runs: Runs, owner: RunOwner, runId: string): Promise<RunRecord> {
  const record = await runs.get(owner, runId)
  if (record === undefined) throw noRun()
  if (record.status !== 'running') return record
  try {
    return await runs.append(owner, runId, [cancelled])
  } catch (error) {
    // It may have ended meanwhile.
    const now = await runs.get(owner, runId)
    if (now === undefined || now.status === 'running') throw error
    return now
  }
}
