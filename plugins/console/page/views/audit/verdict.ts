/** What the page has found out about the chain, and what follows from it. */
import type { AuditEntry, AuditHead, Break, Checkpoint, CheckpointProof } from './chain.ts'

/** What the service says after a walk of its own: `GET /api/v1/audit/verify`. */
export interface ServiceVerdict {
  readonly ok: boolean
  readonly count: number
  readonly head: AuditHead
  readonly firstBad: number | null
  readonly checkpoint: Checkpoint | null
}

/** One thing that was compared. */
export interface Finding {
  readonly holds: boolean | undefined
  readonly text: string
  /** The entry that it is about, if there is one to look at. */
  readonly seq?: number
}

/** Compares what the service says of its chain with the hashes that the page has. `hashAt` gives undefined for entries not at hand. */
export function compareVerdict(
  verdict: ServiceVerdict,
  hashAt: (seq: number) => string | undefined,
  proof: CheckpointProof | undefined,
): readonly Finding[] {
  return [walkFinding(verdict), headFinding(verdict.head, hashAt), checkpointFinding(verdict.checkpoint, hashAt, proof)]
}

function walkFinding({ ok, count, firstBad }: ServiceVerdict): Finding {
  if (ok) return { holds: true, text: `The service walked all ${count} entries itself and found them whole.` }
  const text = `The service itself finds entry ${firstBad} changed or missing.`
  return { holds: false, text, ...(firstBad !== null && { seq: firstBad }) }
}

function headFinding({ seq, hash }: AuditHead, hashAt: (seq: number) => string | undefined): Finding {
  const found = seq === 0 ? hash : hashAt(seq)
  if (found === undefined) return { holds: undefined, text: `Its head, entry ${seq}, is not loaded here.` }
  if (found === hash) return { holds: true, text: `Both end in the same head, entry ${seq}.` }
  return { holds: false, text: `The service names another hash for the head, entry ${seq}.`, seq }
}

function checkpointFinding(
  checkpoint: Checkpoint | null,
  hashAt: (seq: number) => string | undefined,
  proof: CheckpointProof | undefined,
): Finding {
  if (checkpoint === null)
    return {
      holds: undefined,
      text: 'No checkpoint yet: the node signs one a minute after news, or after 1 000 entries.',
    }
  const { seq, hash } = checkpoint
  if (proof === undefined) return { holds: undefined, text: `The checkpoint at entry ${seq} is being checked.` }
  if (proof === 'other-key')
    return { holds: false, text: `The checkpoint at entry ${seq} names the key of another node.`, seq }
  if (proof === 'forged')
    return { holds: false, text: `The signature of the checkpoint at entry ${seq} is not valid.`, seq }
  const found = hashAt(seq)
  if (found === undefined)
    return { holds: undefined, text: `The node signed a checkpoint at entry ${seq}, which is not loaded here.` }
  if (found === hash) return { holds: true, text: `The checkpoint at entry ${seq} is signed by the key of this node.` }
  return { holds: false, text: `The node signed another hash for entry ${seq} than the chain has.`, seq }
}

/** What the hashes of some entries say. */
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
  if (count === 0 && !isWhole) return { holds: undefined, text: 'Nothing was hashed yet.' }
  return {
    holds: true,
    text: isWhole
      ? `This page hashed all ${count} entries, from the first to the last.`
      : `This page hashed the newest ${count} entries, each with the one before it.`,
  }
}

/** All findings in one word. */
export type Overall = 'verified' | 'partly' | 'broken' | 'checking'

/** Broken if one finding is; verified only if the whole chain was hashed. */
export function overallOf(findings: readonly Finding[], isWhole: boolean, isBusy: boolean): Overall {
  if (findings.some(({ holds }) => holds === false)) return 'broken'
  if (isBusy) return 'checking'
  return isWhole ? 'verified' : 'partly'
}

/** Hashes by `seq` of the entries at hand. */
export function hashesOf(entries: readonly AuditEntry[]): (seq: number) => string | undefined {
  const hashes = new Map(entries.map(({ seq, hash }) => [seq, hash]))
  return (seq) => hashes.get(seq)
}
