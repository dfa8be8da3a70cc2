/** Admitted pushes: the answer to a repeated one, and the rows of a new one. */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { DomainFamily, Envelope, Frontier, PushReceipt, ReceiptEvent } from '../../api.ts'
import { fail } from '../../errors.ts'
import { receiptOf, toReceipt } from '../receipts/receipts.ts'
import type { Ledger, LedgerReads, OutboxRow, StoredPush } from '../store/api.ts'

/** The user who hands in a push, on a surface whose callers are users. */
export interface PushCaller {
  /** Named in the audit chain. */
  readonly user: string
  /** Called in the transaction that writes the push, if it is new. */
  inserted(ledger: Ledger, pushId: string): void
}

/** A push that passed all checks that need no transaction. */
export interface AdmittedPush {
  readonly envelope: Envelope
  readonly family: DomainFamily
  readonly project: string
  readonly targets: readonly string[]
  readonly expectedFrontier: Frontier | null
  /** Undefined for pushes of the owner of this node, and of peers. */
  readonly caller?: PushCaller | undefined
  /** Throws if the signer may not push any more. Called inside the transaction that executes the push. */
  authorise?(ledger: LedgerReads): void
}

/** The result of a submission. */
export interface Submission {
  readonly status: 200 | 201
  readonly receipt: PushReceipt
}

/** Executes admitted pushes. */
export type Execute = (push: AdmittedPush) => Promise<Submission>

/**
 * The receipt of an earlier push with the same id and payload; undefined if the id is new. Throws `request_id_conflict`
 * if the id belongs to another payload.
 */
export function findReplay(
  ledger: Pick<LedgerReads, 'push' | 'events'>,
  { pushId, canonicalPayloadHash }: Pick<Envelope, 'pushId' | 'canonicalPayloadHash'>,
): Submission | undefined {
  const push = ledger.push(pushId)
  return push === undefined ? undefined : asReplay(ledger, push, { pushId, canonicalPayloadHash })
}

/** The same, for a push that was read before. */
export function asReplay(
  ledger: Pick<LedgerReads, 'events'>,
  push: StoredPush,
  { pushId, canonicalPayloadHash }: Pick<Envelope, 'pushId' | 'canonicalPayloadHash'>,
): Submission {
  if (push.hash !== canonicalPayloadHash) throw fail('request_id_conflict', { details: { pushId } })
  return { status: 200, receipt: toReceipt(ledger, push) }
}

/** Throws `frontier_mismatch` if two frontiers differ. */
export function requireFrontier(expected: Frontier, current: Frontier): void {
  const same =
    expected.heads.length === current.heads.length && expected.heads.every((head) => current.heads.includes(head))
  if (!same) throw fail('frontier_mismatch', { details: { currentFrontier: current } })
}

const STEPS = ['accepted', 'prepared', 'applied_locally'] as const

/** Writes a new push with its first events, and the rows of the outbox if it is applied. */
export function insertPush(
  ledger: Ledger,
  push: AdmittedPush,
  envelope: Envelope,
  atMs: number,
  localState: 'accepted' | 'prepared' | 'applied_locally',
  also?: Partial<Pick<StoredPush, 'frontier' | 'revision' | 'origin'>>,
): PushReceipt {
  const applied = localState === 'applied_locally'
  // A push of a peer is not sent to other peers.
  const targets = also?.origin ? [] : push.targets
  const kinds = STEPS.slice(0, STEPS.indexOf(localState) + 1)
  const events: ReceiptEvent[] = kinds.map((kind, i) => ({
    sequence: i + 1,
    kind,
    atMs,
    localState: kind,
  }))
  const row = {
    pushId: envelope.pushId,
    hash: envelope.canonicalPayloadHash,
    domain: envelope.domain,
    targets: push.targets,
    localState,
    perPeer: {},
    signerKeyId: envelope.signerKeyId,
    signature: envelope.signature,
    envelope: !applied || targets.length > 0 ? JSON.stringify(envelope) : null,
    lastSequence: events.length,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    broadcastAtMs: null,
    frontier: null,
    revision: null,
    origin: null,
    ...also,
  }
  const no = ledger.insertPush(row)
  ledger.insertEvents(no, events)
  push.caller?.inserted(ledger, row.pushId)
  if (applied) ledger.putOutbox(targets.map((endpointId) => toOutbox(no, endpointId, atMs)))
  return receiptOf(row, events)
}

/** A row of the outbox that was never tried and is due now. */
export function toOutbox(receiptNo: number, endpointId: string, atMs: number): OutboxRow {
  return { receiptNo, endpointId, attempts: 0, nextAttemptAtMs: atMs, told: 0, toldCode: null }
}

/**
 * The error for an error that a family throws: a refusal stays as it is, and any other error becomes
 * `envelope_preparation_failed`.
 */
export function unprepared(cause: unknown): Error {
  if (isSvcError(cause)) return cause
  return fail('envelope_preparation_failed', { cause, headers: { 'retry-after': '1' } })
}
