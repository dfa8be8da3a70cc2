/**
 * The audit chain of a node in the store. Each entry is bound to all entries before it by its hash, so that an entry that is
 * changed, removed or moved is found and named. Peers that keep an earlier head contradict a chain that was made anew.
 */
import type {
  AuditChain,
  AuditEntry,
  AuditHead,
  AuditKind,
  AuditParts,
  AuditStatement,
  AuditVerdict,
  StoreCheck,
} from '../../../sync/api.ts'

/** Before the first entry. */
export const AUDIT_START: AuditHead = { seq: 0, hash: '0'.repeat(64) }

const COLUMNS = 'seq, at_ms, kind, project, subject, actor, outcome, hash'
type Row = [
  seq: number,
  atMs: number,
  kind: AuditKind,
  project: string | null,
  subject: string | null,
  actor: string,
  outcome: string,
  hash: string,
]

/** Makes the chain over the table `audit`. */
export function createAuditChain(parts: AuditParts): AuditChain {
  const prepared = new Map<string, AuditStatement>()
  const sql = (text: string): AuditStatement => {
    let statement = prepared.get(text)
    if (statement === undefined) prepared.set(text, (statement = parts.driver.prepare(text)))
    return statement
  }
  const encoder = new TextEncoder()
  const hashOf = (before: string, entry: AuditEntry): string =>
    parts.sha256(encoder.encode(`${before}\n${canonicalEntry(entry)}`))
  const head = (): AuditHead => {
    const row = sql('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get<[seq: number, hash: string]>()
    return row === undefined ? AUDIT_START : { seq: row[0], hash: row[1] }
  }

  return {
    append({ atMs, kind, project, subject, actor, outcome }) {
      const last = head()
      const bare = { seq: last.seq + 1, atMs, kind, project, subject, actor, outcome, hash: '' }
      const entry = { ...bare, hash: hashOf(last.hash, bare) }
      sql('INSERT INTO audit VALUES (?,?,?,?,?,?,?,?)').run(
        entry.seq,
        atMs,
        kind,
        project,
        subject,
        actor,
        outcome,
        entry.hash,
      )
      return entry
    },
    head,
    list(after, limit, { project, kind } = {}) {
      const where = `seq > ?${project === undefined ? '' : ' AND project = ?'}${kind === undefined ? '' : ' AND kind = ?'}`
      const given = [after, project, kind, limit].filter((value) => value !== undefined)
      return sql(`SELECT ${COLUMNS} FROM audit WHERE ${where} ORDER BY seq LIMIT 0 + ?`)
        .all<Row>(...given)
        .map(toEntry)
    },
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
        const page = sql(`SELECT ${COLUMNS} FROM audit WHERE seq > ? ORDER BY seq LIMIT 256`).all<Row>(last.seq)
        for (const entry of page.map(toEntry).slice(0, limit - count)) {
          const expected = last.seq + 1
          if (entry.seq !== expected || hashOf(last.hash, entry) !== entry.hash) return verdict(expected)
          if (checkpoint?.seq === entry.seq && checkpoint.hash !== entry.hash) return verdict(entry.seq)
          last = { seq: entry.seq, hash: entry.hash }
          count++
        }
        if (page.length < 256) break
      }
      // Entries that were cut off at the end are only noticed by comparison with a checkpoint.
      if (count < limit && checkpoint !== undefined && checkpoint.seq > last.seq) return verdict(last.seq + 1)
      return verdict(null)
    },
  }
}

/** Names the first entry that is wrong or missing, as far as the chain and the last signed head show. */
export const checkAudit: StoreCheck = ({ driver, sha256 }) => {
  const signed = driver
    .prepare('SELECT seq, hash FROM audit_checkpoints ORDER BY seq DESC LIMIT 1')
    .get<[seq: number, hash: string]>()
  const checkpoint = signed === undefined ? undefined : { seq: signed[0], hash: signed[1] }
  const { firstBad } = createAuditChain({ driver, sha256 }).verify(AUDIT_START, undefined, checkpoint)
  return firstBad === null ? [] : [`audit entry ${firstBad}`]
}

/** The canonical form (RFC 8785) of what an entry's hash covers: flat, so that members in their order are all that it takes. */
function canonicalEntry({ actor, atMs, kind, outcome, project, seq, subject }: AuditEntry): string {
  return JSON.stringify({ actor, atMs, kind, outcome, project, seq, subject })
}

function toEntry([seq, atMs, kind, project, subject, actor, outcome, hash]: Row): AuditEntry {
  return { seq, atMs, kind, project, subject, actor, outcome, hash }
}
