/** `/ready` of the sync API: three checks of what a push needs, each with a time limit. */
import { json, type Reply } from '../../../core/http/reply.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { CheckResult, ReadinessReport } from '../../probes/api.ts'
import type { Authority } from '../api.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import type { RowCheck } from './row-check.ts'

/** What the checks need. */
export interface ReadyParts {
  readonly store: ReceiptStore
  readonly authority: Authority
  /** The check of rows in the background. */
  readonly rows: Pick<RowCheck, 'damaged'>
  readonly log: Logger
  /** Whether the stop of the service has begun, so that no new requests should come. */
  readonly stopping: () => boolean
}

/** A key id that no device can have. The check only reads. */
const NOBODY = ''

/**
 * Returns the report of the checks. `ready` is false from the beginning of a stop on. Only the log has the reason of a
 * failure. `store_log` fails while another process holds the log of the store; pushes are still taken.
 */
export function createReport({ store, authority, rows, log, stopping }: ReadyParts): () => Promise<ReadinessReport> {
  const looks: Readonly<Record<string, () => unknown>> = {
    authority: () => authority.device(NOBODY),
    receipt_store: async () => {
      await store.read((ledger) => ledger.push(NOBODY))
      await store.checkWritable?.()
      if (rows.damaged().length > 0) throw new Error(`damaged: ${rows.damaged().join(', ')}`)
    },
    devices: () => store.read((ledger) => ledger.device(NOBODY)),
  }
  return async () => {
    const checks: Record<string, CheckResult> = {}
    for (const [name, look] of Object.entries(looks)) {
      try {
        await look()
        checks[name] = { status: 'ok', required: true }
      } catch (error) {
        log.warn('A readiness check failed.', { check: name, error })
        checks[name] = { status: 'failed', required: true }
      }
    }
    const ready = !stopping() && Object.values(checks).every(({ status }) => status === 'ok')
    if (store.isLogHeld !== undefined)
      checks['store_log'] = { status: store.isLogHeld() ? 'failed' : 'ok', required: false }
    return { ready, checks }
  }
}

/** Answers 200 if everything can be read and written and no stop has begun, and 503 otherwise. */
export async function readyReply(profile: string, report: () => Promise<ReadinessReport>): Promise<Reply> {
  const { ready, checks } = await report()
  const body = { status: ready ? 'ready' : 'unavailable', profile, checks }
  return json(ready ? 200 : 503, body, { 'cache-control': 'no-store' })
}
