/** `/ready` of the sync API: three checks of what a push needs, each with a time limit. */
import { json, type Reply } from '../../../core/http/reply.ts'
import type { Logger } from '../../../core/log.ts'
import type { Authority } from '../api.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import type { RowCheck } from './row-check.ts'

/** What the checks need. */
export interface ReadyParts {
  readonly store: ReceiptStore
  readonly authority: Authority
  /** The check of rows in the background. */
  readonly rows: Pick<RowCheck, 'damaged'>
  readonly profile: string
  readonly log: Logger
  /** Whether the stop of the service has begun, so that no new requests should come. */
  readonly stopping: () => boolean
}

/** A key id that no device can have. The check only reads. */
const NOBODY = ''

/**
 * Answers 200 if everything can be read and written and no stop has begun, and 503 otherwise. Only the log has the reason. `store_log`
 * fails while another process holds the log of the store; pushes are still taken.
 */
export function createReady({ store, authority, rows, profile, log, stopping }: ReadyParts): () => Promise<Reply> {
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
    const checks: Record<string, { status: 'ok' | 'failed'; required: boolean }> = {}
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
    const body = { status: ready ? 'ready' : 'unavailable', profile, checks }
    return json(ready ? 200 : 503, body, { 'cache-control': 'no-store' })
  }
}
