/**
 * The interface of a node's audit chain: what was done, by whom, with what outcome. A feature of the build implements
 * it (`StorePart.audit`).
 */
import type { SqlDriver } from '../../../store/api.ts'
/** The kind of an entry. */
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

/** The content of an entry. It has no titles and no signatures. */
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
  /** The user who handed it in over the network; absent on the other surfaces. */
  readonly user?: string
}

/** An entry of the chain. `seq` counts from 1, without gaps. */
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

/** The result of a verification. */
export interface AuditVerdict {
  readonly ok: boolean
  /** Number of entries that were read. */
  readonly count: number
  readonly head: AuditHead
  /** The `seq` of the first entry that was changed or is missing; null if there is none. */
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

/** A head that the node has signed: a checkpoint of the chain. */
export interface SignedHead extends AuditHead {
  readonly atMs: number
  /** The endpoint id. */
  readonly endpointId: string
  /** Of the statement about the head, as standard base64. */
  readonly signature: string
}

/** Signs heads: the endpoint key of a node. */
export interface HeadSigner {
  /** 64 lower-case hex: the public key. */
  readonly endpointId: string
  sign(message: Uint8Array): Uint8Array
}

/** The parts that a chain is made of. */
export interface AuditParts {
  readonly driver: Pick<SqlDriver, 'prepare'>
  /** In lower-case hex. */
  sha256(bytes: Uint8Array): string
}

/** The chain of a node. */
export interface AuditChain {
  /** Adds an entry, inside the transaction of the change that it records. */
  append(fact: AuditFact): AuditEntry
  head(): AuditHead
  /** Entries after a `seq`, in order. `only` selects those of a project or of a kind. */
  list(
    after: number,
    limit: number,
    only?: { readonly project?: string; readonly kind?: string },
  ): readonly AuditEntry[]
  /**
   * Verifies at most `limit` entries after `from`, the head of an earlier verification; without it, from the first
   * entry. So a long chain can be verified in several calls. A `checkpoint` that was signed earlier is compared with
   * its entry.
   */
  verify(from?: AuditHead, limit?: number, checkpoint?: AuditHead): AuditVerdict
  /** The newest checkpoint; undefined if there is none. */
  checkpoint(): SignedHead | undefined
  /** Signs the head with the key of the node and adds the checkpoint. */
  signHead(key: HeadSigner, atMs: number): void
}
