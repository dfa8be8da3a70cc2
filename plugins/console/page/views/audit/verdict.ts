/** The findings of the page about the audit chain, and the overall result. */
import type { AuditEntry, AuditHead, Break, Checkpoint, CheckpointProof } from './chain.ts'

/** The result of the verification by the service: `GET /api/v1/audit/verify`. */
export interface ServiceVerdict {
  readonly ok: boolean
  readonly count: number
  readonly head: AuditHead
  readonly firstBad: number | null
  readonly checkpoint: Checkpoint | null
}

/** The result of one comparison. */
export interface Finding {
  /** Undefined if there is nothing to compare yet. */
  readonly holds: boolean | undefined
  readonly text: string
  /** The entry of the finding, if the reader can look at one. */
  readonly seq?: number
}

/**
 * Compares the result of the service with the hashes of the page. `hashAt` returns undefined for an entry that is not
 * loaded.
 */
export function compareVerdict(
  verdict: ServiceVerdict,
  hashAt: (seq: number) => string | undefined,
  proof: CheckpointProof | undefined,
): readonly Finding[] {
  return [walkFinding(verdict), headFinding(verdict.head, hashAt), checkpointFinding(verdict.checkpoint, hashAt, proof)]
}

function walkFinding({ ok, count, firstBad }: ServiceVerdict): Finding {
  if (ok) return { holds: true, text: `The service verified all ${count} entries.` }
  if (firstBad === null) return { holds: false, text: 'The service found an entry changed or missing.' }
  return { holds: false, text: `The service found entry ${firstBad} changed or missing.`, seq: firstBad }
}

function headFinding({ seq, hash }: AuditHead, hashAt: (seq: number) => string | undefined): Finding {
  const loadedHash = seq === 0 ? hash : hashAt(seq)
  if (loadedHash === undefined)
    return { holds: undefined, text: `The head of the service, entry ${seq}, is not loaded in this page.` }
  if (loadedHash === hash) return { holds: true, text: `The page and the service have the same head, entry ${seq}.` }
  return { holds: false, text: `The service has a different hash for the head, entry ${seq}.`, seq }
}

function checkpointFinding(
  checkpoint: Checkpoint | null,
  hashAt: (seq: number) => string | undefined,
  proof: CheckpointProof | undefined,
): Finding {
  if (checkpoint === null)
    return {
      holds: undefined,
      text: 'No checkpoint yet: the node signs a checkpoint one minute after a new entry, or after 1 000 entries.',
    }
  const { seq, hash } = checkpoint
  if (proof === undefined) return { holds: undefined, text: `The checkpoint at entry ${seq} is being checked.` }
  if (proof === 'other-key')
    return { holds: false, text: `The checkpoint at entry ${seq} has the key of another node.`, seq }
  if (proof === 'forged')
    return { holds: false, text: `The signature of the checkpoint at entry ${seq} is not valid.`, seq }
  const loadedHash = hashAt(seq)
  if (loadedHash === undefined)
    return { holds: undefined, text: `The node signed a checkpoint at entry ${seq}, which is not loaded in this page.` }
  if (loadedHash === hash)
    return { holds: true, text: `The checkpoint at entry ${seq} is signed by the key of this node.` }
  return { holds: false, text: `The node signed a different hash for entry ${seq} than the chain has.`, seq }
}

/** The finding about the hashes of entries. */
export function hashFinding(breaks: readonly Break[], count: number, isWhole: boolean): Finding {
  const [first] = [...breaks].sort((a, b) => a.seq - b.seq)
  if (first !== undefined) {
    const more = breaks.length > 1 ? `, and ${breaks.length - 1} more` : ''
    const what =
      first.why === 'missing'
        ? `Entries before ${first.seq} are missing`
        : `Entry ${first.seq} is not as it was written`
    return { holds: false, text: `${what}${more}.`, seq: first.seq }
  }
  if (count === 0 && !isWhole) return { holds: undefined, text: 'No entry has been hashed yet.' }
  return {
    holds: true,
    text: isWhole
      ? `This page hashed all ${count} entries, from the first to the last.`
      : `This page hashed the newest ${count} entries, each with the hash of the entry before it.`,
  }
}

/** The overall result of all findings. */
export type Overall = 'verified' | 'partly' | 'broken' | 'checking'

/** The overall result: `broken` if one finding is negative, `verified` only if the whole chain was hashed. */
export function overallOf(findings: readonly Finding[], isWhole: boolean, isBusy: boolean): Overall {
  if (findings.some(({ holds }) => holds === false)) return 'broken'
  if (isBusy) return 'checking'
  return isWhole ? 'verified' : 'partly'
}

/** Returns a function that finds the hash of a loaded entry by its `seq`. */
export function hashesOf(entries: readonly AuditEntry[]): (seq: number) => string | undefined {
  const hashes = new Map(entries.map(({ seq, hash }) => [seq, hash]))
  return (seq) => hashes.get(seq)
}
