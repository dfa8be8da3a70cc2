/**
 * The audit chain of a node in the store. Each entry is bound to all entries before it by its hash, so that an entry
 * that is changed, removed or moved is found and named. The earlier heads that peers keep contradict a chain that was
 * rewritten.
 */
import { canonicalText } from '../../../protocol/canonical.ts'
import { toBase64 } from '../../../protocol/codecs.ts'
import type { StoreCheck } from '../../../store/api.ts'
import type {
  AuditChain,
  AuditEntry,
  AuditHead,
  AuditParts,
  AuditVerdict,
  CheckpointStatement,
} from '../../../sync/api.ts'
import { createAuditStatements } from './statements.ts'

/** The head of a chain without entries. */
export const AUDIT_START: AuditHead = { seq: 0, hash: '0'.repeat(64) }

/** Most entries that one statement reads. */
const PAGE = 256

/** Makes the chain over the table `audit`. */
export function createAuditChain({ driver, sha256 }: AuditParts): AuditChain {
  const statements = createAuditStatements(driver)
  const encoder = new TextEncoder()
  const hashOf = (before: string, entry: AuditEntry): string =>
    sha256(encoder.encode(`${before}\n${canonicalEntry(entry)}`))
  const head = (): AuditHead => statements.head() ?? AUDIT_START

  return {
    append({ atMs, kind, project, subject, actor, outcome, user }) {
      const last = head()
      const fact = { atMs, kind, project, subject, actor, outcome, ...(user !== undefined && { user }) }
      const bare = { seq: last.seq + 1, ...fact, hash: '' }
      const entry = { ...bare, hash: hashOf(last.hash, bare) }
      statements.insert(entry)
      return entry
    },
    head,
    list: statements.list,
    verify(from = AUDIT_START, limit = Number.MAX_SAFE_INTEGER, checkpoint) {
      let last = from
      let count = 0
      const verdict = (firstBad: number | null): AuditVerdict => ({
        ok: firstBad === null,
        count,
        head: last,
        firstBad,
      })
      while (count < limit) {
        const page = statements.list(last.seq, PAGE)
        for (const entry of page.slice(0, limit - count)) {
          const expected = last.seq + 1
          if (entry.seq !== expected || hashOf(last.hash, entry) !== entry.hash) return verdict(expected)
          if (checkpoint?.seq === entry.seq && checkpoint.hash !== entry.hash) return verdict(entry.seq)
          last = { seq: entry.seq, hash: entry.hash }
          count++
        }
        if (page.length < PAGE) break
      }
      // Entries that were cut off at the end are only found by comparison with a checkpoint.
      if (count < limit && checkpoint !== undefined && checkpoint.seq > last.seq) return verdict(last.seq + 1)
      return verdict(null)
    },
    checkpoint: statements.checkpoint,
    signHead({ endpointId, sign }, atMs) {
      const { seq, hash } = head()
      const statement: CheckpointStatement = { context: 'svc-audit-checkpoint-1', seq, hash, atMs, endpointId }
      const signature = toBase64(sign(encoder.encode(canonicalText(statement))))
      statements.insertCheckpoint({ seq, hash, atMs, endpointId, signature })
    },
  }
}

/**
 * Names the first entry that is wrong or missing, as far as the chain and the last signed head show. It does not verify
 * the signature of the head; `kbd.audit` does.
 */
export const checkAudit: StoreCheck = ({ driver, sha256 }) => {
  const chain = createAuditChain({ driver, sha256 })
  const { firstBad } = chain.verify(AUDIT_START, undefined, chain.checkpoint())
  return firstBad === null ? [] : [`audit entry ${firstBad}`]
}

/**
 * The canonical form (RFC 8785) of the members that the hash of an entry covers. The object is flat, so writing its
 * members in alphabetical order is enough.
 */
function canonicalEntry({ actor, atMs, kind, outcome, project, seq, subject, user }: AuditEntry): string {
  return JSON.stringify({ actor, atMs, kind, outcome, project, seq, subject, user })
}
