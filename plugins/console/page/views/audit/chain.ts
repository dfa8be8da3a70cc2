/** Computes the hash chain of the audit again in the page. */
import { canonicalText } from '../../../../protocol/canonical.ts'
import { fromBase64, toHex } from '../../../../protocol/codecs.ts'
import { fromEndpointId, isAdmissibleKey } from '../../../../protocol/keys.ts'
import { verifySignature } from '../../../../protocol/verify-signature.ts'

/** An entry of the list of the service. */
export interface AuditEntry {
  readonly seq: number
  readonly atMs: number
  readonly kind: string
  readonly project: string | null
  readonly subject: string | null
  readonly actor: string
  readonly outcome: string
  /** The user of the operation, if the owner acted for one. */
  readonly user?: string
  readonly hash: string
}

/** The last entry of a part of the chain. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

/** A statement of the node about its chain, signed with its endpoint key. */
export interface Checkpoint extends AuditHead {
  readonly context: 'svc-audit-checkpoint-1'
  readonly atMs: number
  readonly endpointId: string
  readonly signature: string
}

/** A place where the chain is broken: the entry was changed, or entries before it are missing. */
export interface Break {
  readonly seq: number
  readonly why: 'changed' | 'missing'
}

/** The head of an empty chain. */
export const START: AuditHead = { seq: 0, hash: '0'.repeat(64) }

/** Number of entries that are hashed at a time. */
const SLICE = 64
/** Longest work between two pauses, in milliseconds. A reader does not notice such a delay. */
const MAX_WORK_MS = 12

const encoder = new TextEncoder()

/**
 * The hash of an entry: SHA-256 of the hash `before`, a line feed, and the RFC 8785 form of the entry without its own
 * hash.
 */
export async function hashOf(before: string, { hash: _, ...rest }: AuditEntry): Promise<string> {
  const text = canonicalText(rest)
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(`${before}\n${text}`))))
}

/** Options of a walk. */
export interface WalkOptions {
  /**
   * The entry before the first entry. If absent, the first entry is not verified, because its hash cannot be computed.
   */
  readonly from?: AuditHead | undefined
  /** Waits until the page may have been drawn. */
  readonly pause?: () => Promise<void>
  readonly now?: () => number
}

/** The result of a walk. */
export interface Walked {
  readonly breaks: readonly Break[]
  /** Number of entries whose hash was computed. */
  readonly count: number
  readonly last: AuditHead | undefined
}

/** Hashes entries in order of `seq`, with pauses between slices, and returns all places where the chain is broken. */
export async function walk(entries: readonly AuditEntry[], options: WalkOptions = {}): Promise<Walked> {
  const { from, pause = nextTask, now = () => performance.now() } = options
  const breaks: Break[] = []
  let last = from
  let count = 0
  let sinceMs = now()
  for (let index = 0; index < entries.length; index += SLICE) {
    const slice = entries.slice(index, index + SLICE)
    const checked = await Promise.all(
      slice.map((entry, place) => breakOf(entry, place === 0 ? last : slice[place - 1])),
    )
    breaks.push(...checked.filter((place) => place !== undefined))
    count += slice.length - (last === undefined ? 1 : 0)
    const end = slice.at(-1)
    if (end !== undefined) last = { seq: end.seq, hash: end.hash }
    if (now() - sinceMs < MAX_WORK_MS) continue
    await pause()
    sinceMs = now()
  }
  return { breaks, count, last }
}

async function breakOf(entry: AuditEntry, before: AuditHead | undefined): Promise<Break | undefined> {
  if (before === undefined) return undefined
  const { seq } = entry
  if (seq !== before.seq + 1) return { seq, why: 'missing' }
  // An entry without a canonical form cannot have a valid hash.
  const expected = await hashOf(before.hash, entry).catch(() => undefined)
  return expected === entry.hash ? undefined : { seq, why: 'changed' }
}

/** Whether a checkpoint is signed by this node, names another key, or has an invalid signature. */
export type CheckpointProof = 'signed' | 'other-key' | 'forged'

/** Verifies the signature of a checkpoint against the key of this node. */
export function proofOfCheckpoint(checkpoint: Checkpoint, endpointId: string): CheckpointProof {
  if (checkpoint.endpointId !== endpointId) return 'other-key'
  const { context, seq, hash, atMs } = checkpoint
  const key = fromEndpointId(endpointId)
  const signature = fromBase64(checkpoint.signature)
  if (context !== 'svc-audit-checkpoint-1' || key === undefined || signature === undefined) return 'forged'
  if (!isAdmissibleKey(key)) return 'forged'
  const statement = encoder.encode(canonicalText({ context, seq, hash, atMs, endpointId }))
  return verifySignature(signature, statement, key) ? 'signed' : 'forged'
}

/** Resolves in a new task, so that the page can be drawn before. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
