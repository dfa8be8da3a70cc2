/** What a peer confirms: checked, put in order, written with its event. */

import {
  ACKNOWLEDGEMENT_CONTEXT,
  type Acknowledgement,
  acknowledgedText,
  isConsistent,
} from '../../../protocol/acknowledgement.ts'
import { fromBase64 } from '../../../protocol/codecs.ts'
import { fromEndpointId, toKeyId } from '../../../protocol/key-ids.ts'
import type { Failure, Frontier, PeerAck, PeerRecord, PeerState } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { EngineOptions } from '../options.ts'
import { failureBytes, isTidy, shorten, spareBytes, tidyFailure } from '../receipts/receipt-size.ts'
import { type Step, takeSteps } from '../receipts/receipts.ts'
import { isSettled, mayGoPeer } from '../receipts/states.ts'
import type { Ledger, StoredPush } from '../store/api.ts'

declare const __SYNC_API__: boolean

/** One word of a peer about a push. */
export interface PeerWord {
  readonly pushId: string
  readonly endpointId: string
  readonly state: PeerState
  readonly failure: Failure | null
  readonly appliedFrontier: Frontier | null
  readonly ack: PeerAck | null
}

/** The push as it stands now, and whether the word changed it. */
export interface PeerOutcome {
  readonly push: StoredPush
  readonly changed: boolean
  /** What the peer had said before. */
  readonly known: PeerRecord | undefined
}

/** Hears in its transaction what came of a word. */
export type WordTold = (ledger: Ledger, outcome: PeerOutcome) => void

const encoder = new TextEncoder()
/** Turns a signed acknowledgement into a word; undefined where the signature is not the peer's or the payload is another. */
export async function verifyAcknowledgement(
  ack: Acknowledgement,
  push: Pick<StoredPush, 'targets' | 'hash' | 'domain'>,
  { ed25519 }: Pick<EngineOptions, 'ed25519'>,
): Promise<PeerWord | undefined> {
  const key = fromEndpointId(ack.endpointId)
  const signature = fromBase64(ack.signature)
  // Only targets were admitted as keys; a stranger's word is not verified at all.
  if (key === undefined || signature === undefined || !push.targets.includes(ack.endpointId)) return undefined
  // A contradiction would be stored changed, so that its signature would not fit what the receipt shows.
  if (!isConsistent(ack, push.domain) || (ack.failure !== null && !isTidy(ack.failure))) return undefined
  if (ack.context !== ACKNOWLEDGEMENT_CONTEXT || ack.canonicalPayloadHash !== push.hash) return undefined
  if (!(await ed25519.verify(signature, encoder.encode(acknowledgedText(ack)), key))) return undefined
  const { pushId, endpointId, state, failure, appliedFrontier, auditHead } = ack
  const proof = { signerKeyId: toKeyId(key), auditHead, signature: ack.signature }
  return { pushId, endpointId, state, failure, appliedFrontier, ack: proof }
}

/** Writes a word. What the state machine does not allow changes nothing and is told to `audit`. */
export function recordWord(
  ledger: Ledger,
  word: PeerWord,
  { now, limits, log, transport }: Pick<EngineOptions, 'now' | 'limits' | 'log' | 'transport'>,
): PeerOutcome {
  const push = ledger.push(word.pushId)
  if (push === undefined) throw fail('push_not_found')
  const known = push.perPeer[word.endpointId]
  const nowMs = now()
  const stranger = !push.targets.includes(word.endpointId)
  const closed = push.localState === 'failed' || isSettled(push, nowMs, limits.settleAfterMs)
  if (stranger || (known?.state !== word.state && (closed || !mayGoPeer(known?.state, word.state)))) {
    const { pushId, endpointId, state } = word
    log.log('warn', 'A peer state was ignored.', { audit: true, pushId, endpointId, from: known?.state, to: state })
    return { push, changed: false, known }
  }
  if (known?.state === word.state) return { push, changed: false, known }

  // A word of a peer proves that it has the envelope, whether or not the delivery came back to say so.
  const steps: Step[] = handedOver(push, nowMs)
  const kept = fitted(word, spareBytes(ledger, push))
  const record: PeerRecord = {
    state: word.state,
    receivedAtMs: known?.receivedAtMs ?? (word.state === 'received' ? nowMs : null),
    appliedAtMs: word.state === 'applied' ? nowMs : null,
    rejectedAtMs: word.state === 'rejected' ? nowMs : null,
    updatedAtMs: nowMs,
    failure: kept.failure,
    appliedFrontier: kept.appliedFrontier,
    ack: word.ack,
  }
  steps.push({
    event: {
      kind: `peer_${word.state}`,
      atMs: nowMs,
      peer: word.endpointId,
      peerState: word.state,
      ...(kept.told === null ? {} : { failure: kept.told }),
    },
    change: { perPeer: { ...push.perPeer, [word.endpointId]: record } },
  })
  if ((typeof __SYNC_API__ === 'undefined' || __SYNC_API__) && word.state === 'received' && transport?.untilLastWord) {
    // The delivery goes on from here; were it to break off, it would be taken up again.
  } else ledger.dropOutbox(push.no, word.endpointId)
  return { push: close(ledger, push, nowMs, limits.settleAfterMs, steps), changed: true, known }
}

/** What of a word fits into the receipt: all of it, unless many peers have said much. `told` is for the event. */
function fitted(
  { state, failure, appliedFrontier }: PeerWord,
  spare: number,
): Pick<PeerRecord, 'failure' | 'appliedFrontier'> & { readonly told: Failure | null } {
  if (state !== 'rejected') {
    const fits = appliedFrontier !== null && JSON.stringify(appliedFrontier).length <= spare
    return { failure: null, told: null, appliedFrontier: fits ? appliedFrontier : null }
  }
  const reason = shorten(tidyFailure(failure ?? NO_REASON), Math.max(spare, 0))
  const { text, whole } = failureBytes(reason)
  return { failure: reason, told: text + whole <= spare ? reason : null, appliedFrontier: null }
}

/** The step to `broadcast`, where it was not taken yet: the first peer has the envelope. */
export function handedOver(push: StoredPush, atMs: number): Step[] {
  if (push.localState !== 'applied_locally') return []
  return [
    {
      event: { kind: 'broadcast', atMs, localState: 'broadcast' },
      change: { localState: 'broadcast', broadcastAtMs: atMs },
    },
  ]
}

/** Takes steps, and drops what a settled push no longer needs: its envelope and what was still to be sent. */
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
