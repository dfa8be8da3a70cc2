/** The SQL of the audit chain, with its parameters and rows. */
import type { StoreDriver } from '../../../store/api.ts'
import type { AuditEntry, AuditHead, AuditKind, SignedHead } from '../../../sync/api.ts'
import { createSql } from '../sql.ts'

/** A filter for a list of entries. */
export interface AuditFilter {
  readonly project?: string | undefined
  readonly kind?: string | undefined
}

/** The statements of the chain. */
export interface AuditStatements {
  /** The last entry; undefined if there is none. */
  head(): AuditHead | undefined
  insert(entry: AuditEntry): void
  /** Entries after a number, oldest first. */
  list(after: number, limit: number, filter?: AuditFilter): readonly AuditEntry[]
  /** The newest checkpoint; undefined if there is none. */
  checkpoint(): SignedHead | undefined
  insertCheckpoint(checkpoint: SignedHead): void
}

type Row = [
  seq: number,
  atMs: number,
  kind: AuditKind,
  project: string | null,
  subject: string | null,
  actor: string,
  outcome: string,
  hash: string,
  user: string | null,
]

type CheckpointRow = [seq: number, hash: string, atMs: number, endpointId: string, signature: string]

const SELECT = 'SELECT seq, at_ms, kind, project, subject, actor, outcome, hash, user FROM audit WHERE seq > ?'
const NEWEST_CHECKPOINT =
  'SELECT seq, hash, at_ms, endpoint_id, signature FROM audit_checkpoints ORDER BY seq DESC LIMIT 1'

/** Makes the statements of a database. */
export function createAuditStatements(driver: Pick<StoreDriver, 'prepare'>): AuditStatements {
  const sql = createSql(driver)
  return {
    head() {
      const row = sql('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get<[seq: number, hash: string]>()
      return row === undefined ? undefined : { seq: row[0], hash: row[1] }
    },
    insert({ seq, atMs, kind, project, subject, actor, outcome, hash, user = null }) {
      const values = [seq, atMs, kind, project, subject, actor, outcome, hash, user]
      sql('INSERT INTO audit VALUES (?,?,?,?,?,?,?,?,?)').run(...values)
    },
    list(after, limit, { project, kind } = {}) {
      const where = `${project === undefined ? '' : ' AND project = ?'}${kind === undefined ? '' : ' AND kind = ?'}`
      const parameters = [after, project, kind, limit].filter((value) => value !== undefined)
      return sql(`${SELECT}${where} ORDER BY seq LIMIT 0 + ?`)
        .all<Row>(...parameters)
        .map(toEntry)
    },
    checkpoint() {
      const row = sql(NEWEST_CHECKPOINT).get<CheckpointRow>()
      if (row === undefined) return undefined
      const [seq, hash, atMs, endpointId, signature] = row
      return { seq, hash, atMs, endpointId, signature }
    },
    insertCheckpoint: ({ seq, hash, atMs, endpointId, signature }) =>
      sql('INSERT INTO audit_checkpoints VALUES (?, ?, ?, ?, ?)').run(seq, hash, atMs, endpointId, signature),
  }
}

function toEntry([seq, atMs, kind, project, subject, actor, outcome, hash, user]: Row): AuditEntry {
  return { seq, atMs, kind, project, subject, actor, outcome, ...(user !== null && { user }), hash }
}
