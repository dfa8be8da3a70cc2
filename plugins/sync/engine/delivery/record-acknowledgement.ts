/** Verifies what a peer confirms, and records it with its event. */

import {
  ACKNOWLEDGEMENT_CONTEXT,
  type Acknowledgement,
  acknowledgedText,
  isConsistent,
} from '../../../protocol/acknowledgement.ts'
import { fromBase64 } from '../../../protocol/codecs.ts'
import { fromEndpointId, toKeyId } from '../../../protocol/keys.ts'
import type { Failure, Frontier, PeerAck, PeerRecord, PeerState } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { EngineOptions } from '../options.ts'
import { failureBytes, isTidy, shorten, spareBytes, tidyFailure } from '../receipts/receipt-size.ts'
import { type Step, takeSteps } from '../receipts/receipts.ts'
import { isSettled, mayGoPeer } from '../receipts/states.ts'
import type { Ledger, StoredPush } from '../store/api.ts'

declare const __SYNC_API__: boolean

/** The state of a push at a peer, as the peer confirmed it. */
export interface PeerStatement {
  readonly pushId: string
  readonly endpointId: string
  readonly state: PeerState
  readonly failure: Failure | null
  readonly appliedFrontier: Frontier | null
  readonly ack: PeerAck | null
}

/** The result of a statement. */
export interface PeerOutcome {
  /** The push after the statement. */
  readonly push: StoredPush
  readonly changed: boolean
  /** The record of the peer before the statement. */
  readonly known: PeerRecord | undefined
}

/** Called with the result of a statement, in the same transaction. */
export type AcknowledgementRecorded = (ledger: Ledger, outcome: PeerOutcome) => void

const encoder = new TextEncoder()
/**
 * The statement of a signed acknowledgement; undefined if the signature is not the peer's or the payload is another
 * one.
 */
export async function verifyAcknowledgement(
  ack: Acknowledgement,
  push: Pick<StoredPush, 'targets' | 'hash' | 'domain'>,
  { ed25519 }: Pick<EngineOptions, 'ed25519'>,
): Promise<PeerStatement | undefined> {
  const key = fromEndpointId(ack.endpointId)
  const signature = fromBase64(ack.signature)
  // Only the keys of targets were admitted. An acknowledgement of another node is not verified.
  if (key === undefined || signature === undefined || !push.targets.includes(ack.endpointId)) return undefined
  // A contradictory acknowledgement would be changed when it is stored, so that its signature would not match the
  // receipt.
  if (!isConsistent(ack, push.domain) || (ack.failure !== null && !isTidy(ack.failure))) return undefined
  if (ack.context !== ACKNOWLEDGEMENT_CONTEXT || ack.canonicalPayloadHash !== push.hash) return undefined
  if (!(await ed25519.verify(signature, encoder.encode(acknowledgedText(ack)), key))) return undefined
  const { pushId, endpointId, state, failure, appliedFrontier, auditHead } = ack
  const proof = { signerKeyId: toKeyId(key), auditHead, signature: ack.signature }
  return { pushId, endpointId, state, failure, appliedFrontier, ack: proof }
}

/** Records a statement. One that the state machine does not allow changes nothing and is logged for the audit. */
export function recordPeerState(
  ledger: Ledger,
  statement: PeerStatement,
  { now, limits, log, transport }: Pick<EngineOptions, 'now' | 'limits' | 'log' | 'transport'>,
): PeerOutcome {
  const push = ledger.push(statement.pushId)
  if (push === undefined) throw fail('push_not_found')
  const oldRecord = push.perPeer[statement.endpointId]
  const nowMs = now()
  const stranger = !push.targets.includes(statement.endpointId)
  const closed = push.localState === 'failed' || isSettled(push, nowMs, limits.settleAfterMs)
  if (stranger || (oldRecord?.state !== statement.state && (closed || !mayGoPeer(oldRecord?.state, statement.state)))) {
    const { pushId, endpointId, state } = statement
    log.log('warn', 'A peer state was ignored.', { audit: true, pushId, endpointId, from: oldRecord?.state, to: state })
    return { push, changed: false, known: oldRecord }
  }
  if (oldRecord?.state === statement.state) return { push, changed: false, known: oldRecord }

  // A statement of the peer proves that it has the envelope, even if the delivery itself had no answer.
  const steps: Step[] = handedOver(push, nowMs)
  const parts = fitted(statement, spareBytes(ledger, push))
  const record: PeerRecord = {
    state: statement.state,
    receivedAtMs: oldRecord?.receivedAtMs ?? (statement.state === 'received' ? nowMs : null),
    appliedAtMs: statement.state === 'applied' ? nowMs : null,
    rejectedAtMs: statement.state === 'rejected' ? nowMs : null,
    updatedAtMs: nowMs,
    failure: parts.failure,
    appliedFrontier: parts.appliedFrontier,
    ack: statement.ack,
  }
  steps.push({
    event: {
      kind: `peer_${statement.state}`,
      atMs: nowMs,
      peer: statement.endpointId,
      peerState: statement.state,
      ...(parts.inEvent === null ? {} : { failure: parts.inEvent }),
    },
    change: { perPeer: { ...push.perPeer, [statement.endpointId]: record } },
  })
  if (
    (typeof __SYNC_API__ === 'undefined' || __SYNC_API__) &&
    statement.state === 'received' &&
    transport?.untilLastWord
  ) {
    // The delivery continues. If it is interrupted, the row of the outbox is sent again.
  } else ledger.dropOutbox(push.no, statement.endpointId)
  return { push: close(ledger, push, nowMs, limits.settleAfterMs, steps), changed: true, known: oldRecord }
}

/**
 * The parts of a statement that fit into the receipt: all of them, unless many peers use up the space. `inEvent` is the
 * failure for the event.
 */
function fitted(
  { state, failure, appliedFrontier }: PeerStatement,
  spare: number,
): Pick<PeerRecord, 'failure' | 'appliedFrontier'> & { readonly inEvent: Failure | null } {
  if (state !== 'rejected') {
    const fits = appliedFrontier !== null && JSON.stringify(appliedFrontier).length <= spare
    return { failure: null, inEvent: null, appliedFrontier: fits ? appliedFrontier : null }
  }
  const reason = shorten(tidyFailure(failure ?? NO_REASON), Math.max(spare, 0))
  const { text, whole } = failureBytes(reason)
  return { failure: reason, inEvent: text + whole <= spare ? reason : null, appliedFrontier: null }
}

/** The step to `broadcast`, when the first peer has the envelope. Empty if the step was taken before. */
export function handedOver(push: StoredPush, atMs: number): Step[] {
  if (push.localState !== 'applied_locally') return []
  return [
    {
      event: { kind: 'broadcast', atMs, localState: 'broadcast' },
      change: { localState: 'broadcast', broadcastAtMs: atMs },
    },
  ]
}

/** Takes steps, and removes the envelope and the rows of the outbox if the push is then settled. */
export function close(
  ledger: Ledger,
  push: StoredPush,
  nowMs: number,
  settleAfterMs: number,
  steps: readonly Step[] = [],
): StoredPush {
  return takeSteps(ledger, push, steps, (now) => {
    if (now.envelope === null || !isSettled(now, nowMs, settleAfterMs)) return now
    for (const row of ledger.outboxOf(now.no)) ledger.dropOutbox(now.no, row.endpointId)
    return { ...now, envelope: null }
  })
}

const NO_REASON: Failure = { code: 'peer_rejected', message: 'the peer gave no reason', retryable: false }
