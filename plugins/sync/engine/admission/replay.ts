/**
 * Replays: the same bytes again need not be read and proven again, and get the receipt of then. Whether the signer is still
 * active is not asked here.
 */
import type { ReceiptEvent } from '../../api.ts'
import type { LedgerReads, ReceiptStore, StoredPush } from '../store/api.ts'
import { asReplay, type Submission } from './admitted.ts'

/** Remembered proofs; at some 700 bytes each about 7 MB. The older half goes at once: a map that loses its oldest is slow. */
const MAX_PROOFS = 10_000
/** Events that a proof remembers at most: those of a push without peers. */
const MAX_KEPT_EVENTS = 3

/** A push as a body names it. */
export interface Identified {
  readonly pushId: string
  readonly canonicalPayloadHash: string
}

/** What a body was found to be, once its signature had been verified. */
export interface Proof extends Identified {
  readonly keyId: string
  /** The events of the last answer, or none. What was appended stays as it is, so they hold until one is added. */
  events: readonly ReceiptEvent[]
}

/** An earlier push under an id, and the answer that it deserves once the signer has been checked. */
export interface Known {
  readonly push: StoredPush
  replay(): Submission
}

/** What is known of bodies and pushes that were there before. */
export interface Replays {
  /** What the body with this digest was found to be. */
  proofOf(digest: string): Proof | undefined
  remember(digest: string, found: Identified & Pick<Proof, 'keyId'>): Proof
  /** Looks for the push in the store; undefined where it is not there. */
  find(identified: Identified & Partial<Proof>): Promise<Known | undefined>
}

/** Makes the memory of an entry point. */
export function createReplays(store: Pick<ReceiptStore, 'read'>): Replays {
  let [proofs, older] = [new Map<string, Proof>(), new Map<string, Proof>()]
  return {
    proofOf: (digest) => proofs.get(digest) ?? older.get(digest),
    remember(digest, found) {
      if (proofs.size >= MAX_PROOFS / 2) [proofs, older] = [new Map(), proofs]
      const proof: Proof = { ...found, events: [] }
      proofs.set(digest, proof)
      return proof
    },
    find: (identified) => store.read((ledger) => readKnown(ledger, identified)),
  }
}

function readKnown(ledger: LedgerReads, identified: Identified & Partial<Proof>): Known | undefined {
  const push = ledger.push(identified.pushId)
  if (push === undefined) return undefined
  // Another payload is a refusal, which is told when its turn comes.
  if (push.hash !== identified.canonicalPayloadHash) return { push, replay: () => asReplay(ledger, push, identified) }
  const { events = [] } = identified
  const answer = asReplay(events.length === push.lastSequence ? { events: () => events } : ledger, push, identified)
  return { push, replay: () => answer }
}

/** Keeps what was answered with the proof for the next time, and gives it back. */
export function keepAnswer(proof: Proof, submission: Submission): Submission {
  if (submission.receipt.events.length <= MAX_KEPT_EVENTS) proof.events = submission.receipt.events
  return submission
}
