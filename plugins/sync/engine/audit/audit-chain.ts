/**
 * The audit chain of a node: what was done, by whom, with what outcome, each entry bound to all before it by its hash.
 * An entry that is changed, removed or moved is found and named; peers that store the head contradict a chain made anew.
 */

/** What an entry is about. */
export type AuditKind =
  | 'command'
  | 'claim'
  | 'resolution'
  | 'refusal'
  | 'enrolment'
  | 'revocation'
  | 'push'
  | 'peer'
  | 'fork'

/** What is told of one cause. No titles, no signatures. */
export interface AuditFact {
  /** Unix time in milliseconds. */
  readonly atMs: number
  readonly kind: AuditKind
  readonly project: string | null
  /** The id of a command or push, or a key id. */
  readonly subject: string | null
  /** A key id, or `owner`. */
  readonly actor: string
  /** `ok` or a code. */
  readonly outcome: string
}

/** A fact in the chain; `seq` counts from 1, without gaps. */
export interface AuditEntry extends AuditFact {
  readonly seq: number
  /** SHA-256 of the hash before, a line feed and the canonical form of the entry without this, in hex. */
  readonly hash: string
}

/** The last entry; before the first one `seq` is 0 and the hash is zeros. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

/** What a walk over the chain found. */
export interface AuditVerdict {
  readonly ok: boolean
  /** Entries that were read. */
  readonly count: number
  readonly head: AuditHead
  /** The `seq` of the first entry that is not as it was written, or is missing; null where all are. */
  readonly firstBad: number | null
}

/** A statement about the chain that the node signs with its endpoint key, over the canonical form of these members. */
export interface CheckpointStatement {
  readonly context: 'svc-audit-checkpoint-1'
  readonly seq: number
  readonly hash: string
  readonly atMs: number
  /** The endpoint id. */
  readonly endpointId: string
}

/** What the chain needs of a database and a platform. */
export interface AuditParts {
  readonly driver: { prepare(sql: string): AuditStatement }
  /** In lower-case hex. */
  sha256(bytes: Uint8Array): string
}

type Value = string | number | null

interface AuditStatement {
  run(...parameters: readonly Value[]): void
  get<Row extends readonly Value[]>(...parameters: readonly Value[]): Row | undefined
  all<Row extends readonly Value[]>(...parameters: readonly Value[]): readonly Row[]
}

/** The chain of a node. */
export interface AuditChain {
  /** Adds an entry, inside the transaction of what it tells of. */
  append(fact: AuditFact): AuditEntry
  head(): AuditHead
  /** Entries after a `seq`, in order; those of a project or a kind where one is given. */
  list(
    after: number,
    limit: number,
    only?: { readonly project?: string; readonly kind?: string },
  ): readonly AuditEntry[]
  /**
   * Walks the chain from `from` on (the head of an earlier walk, or the first entry), at most `limit` entries, so that a
   * long chain can be walked in turns. A `checkpoint` that was signed earlier is compared on the way.
   */
  verify(from?: AuditHead, limit?: number, checkpoint?: AuditHead): AuditVerdict
}

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

/** Makes the chain over the table of 3-boards.ts. */
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
      // Entries that were cut off at the end are missed only by who was told of them.
      if (count < limit && checkpoint !== undefined && checkpoint.seq > last.seq) return verdict(last.seq + 1)
      return verdict(null)
    },
  }
}

/** What a node signs of its chain. */
export function toCheckpointStatement({ seq, hash }: AuditHead, atMs: number, endpointId: string): CheckpointStatement {
  return { context: 'svc-audit-checkpoint-1', seq, hash, atMs, endpointId }
}

/** The canonical form (RFC 8785) of what an entry's hash covers: flat, so that members in their order are all that it takes. */
function canonicalEntry({ actor, atMs, kind, outcome, project, seq, subject }: AuditEntry): string {
  return JSON.stringify({ actor, atMs, kind, outcome, project, seq, subject })
}

function toEntry([seq, atMs, kind, project, subject, actor, outcome, hash]: Row): AuditEntry {
  return { seq, atMs, kind, project, subject, actor, outcome, hash }
}
