/** States and failures of pushes and peers in words. */
import { countOf } from '../../lib/format.ts'
import type { Tone } from '../../parts/parts.tsx'
import type { Peer, Receipt, ReceiptEvent } from './shapes.ts'

/** A word with how good it is. */
export interface Said {
  readonly tone: Tone
  readonly text: string
}

const FAULTS: Readonly<Record<string, readonly [what: string, next: string]>> = {
  wrong_key: [
    'Another node answers at this address: its key is not the one of this peer.',
    'Check the address, or pair anew if the peer has a new key: svc peer rotate there says so.',
  ],
  not_listed: ['The peer does not list this node.', 'Pair the two again: svc peer pair there, svc peer join here.'],
  unreachable: [
    'Nobody answers at its addresses.',
    'Check that its service runs and that peer.listen is an address which this machine reaches.',
  ],
  timeout: ['It answers too slowly, or stopped in the middle.', 'The node tries again by itself.'],
  bad_answer: ['Its answer does not follow this protocol.', 'Compare the versions of both: svc build-info.'],
  false_acknowledgement: [
    'It acknowledged a push with a signature or a content that does not fit.',
    'Nothing was believed. Compare the versions of both, and who has the key of that node.',
  ],
  version: ['It speaks another version of the protocol.', 'Upgrade the older of the two.'],
}

/** Why nothing passes to a peer, and what to do about it. */
export function faultInWords(code: string): { readonly what: string; readonly next: string | undefined } {
  const [what, next] = (Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined) ?? [
    `It failed with ${code}.`,
    undefined,
  ]
  return { what, next }
}

const PEER_STATES: Readonly<Record<Peer['state'], Said>> = {
  connected: { tone: 'ok', text: 'connected' },
  never: { tone: 'plain', text: 'never seen' },
  unreachable: { tone: 'warn', text: 'unreachable' },
  refused: { tone: 'bad', text: 'refused' },
}

/** The state of a peer. */
export function peerState(state: Peer['state']): Said {
  return PEER_STATES[state] ?? { tone: 'plain', text: state }
}

/** How far a push has come, all peers together. */
export function receiptState({
  localState,
  targets,
  perPeer,
}: Pick<Receipt, 'localState' | 'targets' | 'perPeer'>): Said {
  if (localState === 'failed') return { tone: 'bad', text: 'failed' }
  const records = targets.map((target) => perPeer[target]?.state)
  const [applied, rejected] = ['applied', 'rejected'].map((state) => records.filter((one) => one === state).length) as [
    number,
    number,
  ]
  if (rejected > 0) return { tone: 'bad', text: `rejected by ${countOf(rejected, 'peer')}` }
  if (localState === 'accepted' || localState === 'prepared') return { tone: 'plain', text: localState }
  if (targets.length === 0) return { tone: 'ok', text: 'applied here' }
  if (applied === targets.length) return { tone: 'ok', text: `applied by ${countOf(applied, 'peer')}` }
  return { tone: 'accent', text: `${applied} of ${countOf(targets.length, 'peer')}` }
}

/** Whether no further event of a push is to be expected soon. */
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
  broadcast: 'Handed over to a first peer',
  failed: 'Failed on this node',
  peer_received: 'Received',
  peer_applied: 'Applied',
  peer_rejected: 'Rejected',
  peer_delivery_failed: 'Could not be delivered; tried again',
}

/** What happened in a step. */
export function eventInWords({ kind }: Pick<ReceiptEvent, 'kind'>): string {
  return EVENTS[kind] ?? kind.replaceAll('_', ' ')
}

/** How good a step is. */
export function eventTone({ kind }: Pick<ReceiptEvent, 'kind'>): 'ok' | 'bad' | 'warn' | 'none' {
  if (kind === 'failed' || kind === 'peer_rejected') return 'bad'
  if (kind === 'peer_delivery_failed') return 'warn'
  return kind === 'peer_applied' || kind === 'applied_locally' ? 'ok' : 'none'
}
