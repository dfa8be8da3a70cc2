/** The states and the failures of pushes and peers in words. */
import { countOf } from '../../lib/format.ts'
import type { Tone } from '../../parts/parts.tsx'
import type { Peer, Receipt, ReceiptEvent } from './shapes.ts'

/** A text with its colour. */
export interface StateLabel {
  readonly tone: Tone
  readonly text: string
}

const FAULTS: Readonly<Record<string, readonly [what: string, next: string]>> = {
  wrong_key: [
    'Another node answers at this address: its key is not the key of this peer.',
    'Check the address. If the peer has a new key (svc peer rotate), pair the two nodes again.',
  ],
  not_listed: [
    'The peer does not list this node.',
    'Pair the two nodes again: svc peer pair there, svc peer join here.',
  ],
  unreachable: [
    'There is no answer at the addresses of the peer.',
    'Check that its service runs, and that this machine can reach the address in its peer.listen.',
  ],
  timeout: ['The peer answers too slowly, or not completely.', 'This node tries again.'],
  bad_answer: ['The answer does not follow the protocol.', 'Compare the versions of both nodes: svc build-info.'],
  false_acknowledgement: [
    'The peer acknowledged a push with an invalid signature or with wrong content.',
    'The acknowledgement was ignored. Compare the versions of both nodes, and check who has the key of the peer.',
  ],
  version: ['The peer uses another version of the protocol.', 'Upgrade the older of the two nodes.'],
}

/** Why the exchange with a peer fails, and how to solve the problem. */
export function faultInWords(code: string): { readonly what: string; readonly next: string | undefined } {
  const [what, next] = (Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined) ?? [
    `The exchange failed with ${code}.`,
    undefined,
  ]
  return { what, next }
}

const PEER_STATES: Readonly<Record<Peer['state'], StateLabel>> = {
  connected: { tone: 'ok', text: 'connected' },
  never: { tone: 'plain', text: 'never seen' },
  unreachable: { tone: 'warn', text: 'unreachable' },
  refused: { tone: 'bad', text: 'refused' },
}

/** The state of a peer in a word. */
export function peerState(state: Peer['state'], lastSeenAtMs: number | null): StateLabel {
  if (state === 'never' && lastSeenAtMs !== null) return { tone: 'plain', text: 'not met since the restart' }
  return PEER_STATES[state] ?? { tone: 'plain', text: state }
}

/** The state of a push over all its peers, in a few words. */
export function receiptState({
  localState,
  targets,
  perPeer,
}: Pick<Receipt, 'localState' | 'targets' | 'perPeer'>): StateLabel {
  if (localState === 'failed') return { tone: 'bad', text: 'failed' }
  const records = targets.map((target) => perPeer[target]?.state)
  const [applied, rejected] = ['applied', 'rejected'].map(
    (state) => records.filter((recorded) => recorded === state).length,
  ) as [number, number]
  if (rejected > 0) return { tone: 'bad', text: `rejected by ${countOf(rejected, 'peer')}` }
  if (localState === 'accepted' || localState === 'prepared') return { tone: 'plain', text: localState }
  if (targets.length === 0) return { tone: 'ok', text: 'applied here' }
  if (applied === targets.length) return { tone: 'ok', text: `applied by ${countOf(applied, 'peer')}` }
  return { tone: 'accent', text: `${applied} of ${countOf(targets.length, 'peer')}` }
}

/** Whether the push has reached its final state on this node and at all targets. */
export function isSettled(receipt: Pick<Receipt, 'localState' | 'targets' | 'perPeer'>): boolean {
  const { localState, targets, perPeer } = receipt
  if (localState === 'failed') return true
  if (localState === 'accepted' || localState === 'prepared') return false
  return targets.every((target) => ['applied', 'rejected'].includes(perPeer[target]?.state ?? ''))
}

const EVENTS: Readonly<Record<string, string>> = {
  accepted: 'Accepted: the push is on disk',
  prepared: 'Prepared: the envelope is ready to be sent',
  applied_locally: 'Applied on this node',
  broadcast: 'Delivered to a first peer',
  failed: 'Failed on this node',
  peer_received: 'Received',
  peer_applied: 'Applied',
  peer_rejected: 'Rejected',
  peer_delivery_failed: 'Could not be delivered; this node tries again',
}

/** The description of a step. */
export function eventInWords({ kind }: Pick<ReceiptEvent, 'kind'>): string {
  return EVENTS[kind] ?? kind.replaceAll('_', ' ')
}

/** The colour of a step. */
export function eventTone({ kind }: Pick<ReceiptEvent, 'kind'>): 'ok' | 'bad' | 'warn' | 'none' {
  if (kind === 'failed' || kind === 'peer_rejected') return 'bad'
  if (kind === 'peer_delivery_failed') return 'warn'
  return kind === 'peer_applied' || kind === 'applied_locally' ? 'ok' : 'none'
}
