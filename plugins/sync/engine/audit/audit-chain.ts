/**
 * The audit chain of a node, as this family writes to it: what was done, by whom, with what outcome. A feature of the build makes
 * the chain (`StorePart.audit`).
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

/** A prepared statement of the chain. */
export interface AuditStatement {
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

/** What a node signs of its chain. */
export function toCheckpointStatement({ seq, hash }: AuditHead, atMs: number, endpointId: string): CheckpointStatement {
  return { context: 'svc-audit-checkpoint-1', seq, hash, atMs, endpointId }
}
