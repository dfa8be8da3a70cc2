/** The audit chain on the local surface. */

import { readNumber, readWord } from '../../../core/http/query.ts'
import { json } from '../../../core/http/reply.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { AuditEntry } from '../../sync/api.ts'
import type { ReceiptStore } from '../../sync/capabilities.ts'
import { auditOf } from '../engine/ledgers.ts'
import type { Checkpoints } from './checkpoints.ts'

const KINDS: readonly AuditEntry['kind'][] = [
  'command',
  'claim',
  'resolution',
  'refusal',
  'enrolment',
  'revocation',
  'push',
  'peer',
  'fork',
]
/** The most entries of a page, and the default. */
const MAX_PAGE = 1_000
const DEFAULT_PAGE = 100

const noStore = { 'cache-control': 'no-store' }

/** The handlers of `/api/v1/audit` and `/api/v1/audit/verify`. */
export function createAuditHandlers(
  store: ReceiptStore,
  checkpoints: Pick<Checkpoints, 'verify'>,
): Readonly<Record<'audit' | 'verify', Handler>> {
  /** The running verification. A request that comes meanwhile waits for the same result. */
  let walking: ReturnType<Checkpoints['verify']> | undefined
  return {
    async audit(request) {
      const after = readNumber(request, 'after', 0, 0, Number.MAX_SAFE_INTEGER)
      const limit = readNumber(request, 'limit', DEFAULT_PAGE, 1, MAX_PAGE)
      const kind = readWord(request, 'kind', KINDS)
      const project = request.queryParam('project')
      const only = { ...(kind !== undefined && { kind }), ...(project !== undefined && { project }) }
      const page = await store.read((reads) => {
        const audit = auditOf(reads)
        return { entries: audit.list(after, limit, only), head: audit.head() }
      })
      return json(200, page, noStore)
    },
    async verify() {
      walking ??= checkpoints.verify().finally(() => (walking = undefined))
      return json(200, await walking, noStore)
    },
  }
}
