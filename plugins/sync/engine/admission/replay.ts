/**
 * Replays: a body that was sent before is not parsed and verified again, and gets the stored receipt. Whether the
 * signer is still active is not checked here.
 */
import type { ReceiptEvent } from '../../api.ts'
import type { LedgerReads, ReceiptStore, StoredPush } from '../store/api.ts'
import { asReplay, type Submission } from './admitted.ts'

/**
 * Most proofs in memory: about 7 MB, at 700 bytes each. The older half is removed at once, because removing the oldest
 * entry of a map is slow.
 */
const MAX_PROOFS = 10_000
/** Most events that a proof keeps: those of a push without peers. */
const MAX_KEPT_EVENTS = 3

/** The id and the payload of a push. */
export interface Identified {
  readonly pushId: string
  readonly canonicalPayloadHash: string
}

/** The push in a body whose signature was verified. */
export interface VerifiedPush extends Identified {
  readonly keyId: string
  /** The events of the last answer, or none. Stored events never change, so that these are valid until one is added. */
  events: readonly ReceiptEvent[]
}

/** An earlier push with the same id, and the answer for a signer that has been checked. */
export interface Known {
  readonly push: StoredPush
  replay(): Submission
}

/** Bodies and pushes that were submitted before. */
export interface Replays {
  /** The proof of the body with a digest. */
  proofOf(digest: string): VerifiedPush | undefined
  remember(digest: string, push: Identified & Pick<VerifiedPush, 'keyId'>): VerifiedPush
  /** Reads a push from the store; undefined if it is not there. */
  find(identified: Identified & Partial<VerifiedPush>): Promise<Known | undefined>
}

/** Creates the replays of an entry point. */
export function createReplays(store: Pick<ReceiptStore, 'read'>): Replays {
  let [proofs, older] = [new Map<string, VerifiedPush>(), new Map<string, VerifiedPush>()]
  return {
    proofOf: (digest) => proofs.get(digest) ?? older.get(digest),
    remember(digest, push) {
      if (proofs.size >= MAX_PROOFS / 2) [proofs, older] = [new Map(), proofs]
      const proof: VerifiedPush = { ...push, events: [] }
      proofs.set(digest, proof)
      return proof
    },
    find: (identified) => store.read((ledger) => readKnown(ledger, identified)),
  }
}

function readKnown(ledger: LedgerReads, identified: Identified & Partial<VerifiedPush>): Known | undefined {
  const push = ledger.push(identified.pushId)
  if (push === undefined) return undefined
  // Another payload is a refusal, which is thrown only after the signer was checked.
  if (push.hash !== identified.canonicalPayloadHash) return { push, replay: () => asReplay(ledger, push, identified) }
  const { events = [] } = identified
  const answer = asReplay(events.length === push.lastSequence ? { events: () => events } : ledger, push, identified)
  return { push, replay: () => answer }
}

/** Keeps the events of an answer with the proof. Returns the answer. */
export function keepAnswer(proof: VerifiedPush, submission: Submission): Submission {
  if (submission.receipt.events.length <= MAX_KEPT_EVENTS) proof.events = submission.receipt.events
  return submission
}
