/** Acknowledgements: signed statements of a peer about the state of a push on its node. */
import { canonicalText } from './canonical.ts'
import type { Frontier } from './pushes.ts'

/** A peer's signed statement about one push. The signature covers the canonical form of all other members. */
export interface Acknowledgement {
  /** Separates acknowledgements from every other signed statement. */
  readonly context: 'svc-peer-ack-1'
  readonly pushId: string
  /** The endpoint id of the peer: the key that signs. */
  readonly endpointId: string
  readonly canonicalPayloadHash: string
  readonly state: 'received' | 'applied' | 'rejected'
  /** Why the peer rejected the push; null in every other state. */
  readonly failure: { readonly code: string; readonly message: string; readonly retryable: boolean } | null
  /** The peer's heads right after it applied the push; null in every other state. */
  readonly appliedFrontier: Frontier | null
  /** The head of the peer's audit chain, 64 lower-case hex; null if the peer keeps no chain. */
  readonly auditHead: string | null
  /** Standard base64 of 64 bytes, made with the key that the endpoint id names. */
  readonly signature: string
}

/** The value of `context`. */
export const ACKNOWLEDGEMENT_CONTEXT: Acknowledgement['context'] = 'svc-peer-ack-1'

/** The members that the signature of an acknowledgement covers. */
export const ACKNOWLEDGED: readonly Exclude<keyof Acknowledgement, 'signature'>[] = [
  'context',
  'pushId',
  'endpointId',
  'canonicalPayloadHash',
  'state',
  'failure',
  'appliedFrontier',
  'auditHead',
]

/**
 * Whether the members fit the state: only a rejection has a failure, and only an applied push of commands has a
 * frontier.
 */
export function isConsistent(
  { state, failure, appliedFrontier }: Pick<Acknowledgement, 'state' | 'failure' | 'appliedFrontier'>,
  domain: string,
): boolean {
  const mayHaveFrontier = state === 'applied' && !domain.startsWith('kbd-content:')
  return (failure !== null) === (state === 'rejected') && (appliedFrontier === null || mayHaveFrontier)
}

/** The text that the peer signs: the canonical form of the members in `ACKNOWLEDGED`. Other members are ignored. */
export function acknowledgedText(ack: Omit<Acknowledgement, 'signature'>): string {
  return canonicalText(Object.fromEntries(ACKNOWLEDGED.map((name) => [name, ack[name]])))
}
