/** Pairing: one node offers a code, another joins with it, and each enters the other. */
import type { Handler } from '../../../../core/http/route.ts'
import type { ReceiptStore } from '../../../sync/capabilities.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { createEnter, type EnterParts } from './enter.ts'
import { createEnterPeer, createEntryChange } from './enter-peer.ts'
import { createJoin, type JoinParts } from './join.ts'
import { createOffer, type OfferParts } from './offer.ts'

/** What pairing needs. */
export interface PairingParts extends EnterParts, JoinParts, OfferParts {
  readonly store: ReceiptStore
  readonly peerStore: PeerStore
}

/** The handlers of pairing. */
export interface PairingRoutes {
  /** Opens a pairing and returns its code, for the owner of this node. */
  readonly offer: Handler
  /** Joins the node that made a code, for the owner of this node. */
  readonly join: Handler
  /** Enters the node that calls with the secret of an open pairing. */
  readonly enter: Handler
}

/** Creates the handlers. */
export function createPairing(parts: PairingParts): PairingRoutes {
  const { registry } = parts.peerStore
  const entryChange = createEntryChange(registry, () => parts.shared.ownKey().endpointId)
  const enterPeer = createEnterPeer(registry, entryChange)
  return {
    offer: createOffer(parts),
    join: createJoin(parts, enterPeer, entryChange),
    enter: createEnter(parts, enterPeer),
  }
}
