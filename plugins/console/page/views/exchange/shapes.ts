/** The parts of the local surface's answers about pushes and peers that the page reads. */
import type { PeerOverview } from '../../../../kbd/api.ts'
import type { Acknowledgement } from '../../../../protocol/acknowledgement.ts'

/** The state of a push at a peer, as the peer has confirmed it. */
export interface PeerRecord {
  readonly state: Acknowledgement['state']
  readonly receivedAtMs: number | null
  readonly appliedAtMs: number | null
  readonly rejectedAtMs: number | null
  readonly updatedAtMs: number
  readonly failure: Acknowledgement['failure']
  readonly appliedFrontier: Acknowledgement['appliedFrontier']
  readonly ack: { readonly signerKeyId: string; readonly auditHead: string | null; readonly signature: string } | null
}

/** `GET /api/v2/sync/pushes/:push_id`. */
export interface Receipt {
  readonly pushId: string
  readonly canonicalPayloadHash: string
  readonly domain: string
  readonly targets: readonly string[]
  readonly localState: 'accepted' | 'prepared' | 'applied_locally' | 'broadcast' | 'failed'
  readonly frontier: { readonly heads: readonly string[] } | null
  readonly revision: number | null
  readonly origin: string | null
  readonly perPeer: Readonly<Record<string, PeerRecord>>
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** A step of a push. */
export interface ReceiptEvent {
  readonly sequence: number
  readonly kind: string
  readonly atMs: number
  readonly peer?: string
  readonly failure?: { readonly code: string; readonly message: string; readonly retryable: boolean }
}

/** A peer in the answer of `GET /api/v1/peers`. An older service leaves some members out. */
export interface Peer
  extends Omit<PeerOverview, 'allowedProjects' | 'failingSinceMs' | 'projects'>,
    Partial<Pick<PeerOverview, 'allowedProjects' | 'failingSinceMs'>> {
  readonly projects: Readonly<Record<string, PeerProject>>
}

/** What is known of a peer in a project. */
type PeerProject = Pick<PeerOverview['projects'][string], 'behind'> &
  Partial<Pick<PeerOverview['projects'][string], 'unknownHeads'>>

/** The part of `GET /api/v1/status` that this view shows. */
export interface Status {
  readonly endpointId: string
  readonly outbox: { readonly pending: number; readonly oldestAtMs: number | null }
}

/** The entry of a push in the audit chain. */
export interface PushEntry {
  readonly seq: number
  readonly atMs: number
  readonly project: string | null
  readonly subject: string | null
  readonly actor: string
}
