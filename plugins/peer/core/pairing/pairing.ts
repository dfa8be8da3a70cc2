/** Pairing: one node offers a code, another joins with it, and each enters the other. */
import type { Handler } from '../../../../core/http/route.ts'
import type { ReceiptStore } from '../../../sync/capabilities.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { type CompleteJoinParts, createCompleteJoin } from './complete-join.ts'
import { createEnter, type EnterParts } from './enter.ts'
import { createEnterPeer, createEntryChange } from './enter-peer.ts'
import { createJoin, type JoinParts } from './join.ts'
import { createOffer, type OfferParts } from './offer.ts'
import { createUnfinishedJoins, type UnfinishedJoins } from './unfinished-joins.ts'

/** What pairing needs. */
export interface PairingParts extends EnterParts, JoinParts, CompleteJoinParts, OfferParts {
  readonly store: ReceiptStore
  readonly peerStore: PeerStore
}

/** The handlers of pairing, and the joins that it repeats. */
export interface Pairing {
  /** Opens a pairing and returns its code, for the owner of this node. */
  readonly offer: Handler
  /** Joins the node that made a code, for the owner of this node. */
  readonly join: Handler
  /** Enters the node that calls with the secret of an open pairing. */
  readonly enter: Handler
  /** The joins of this node whose outcome is not known. */
  readonly unfinished: UnfinishedJoins
}

/** Creates the handlers. */
export function createPairing(parts: PairingParts): Pairing {
  const { registry, joins } = parts.peerStore
  const entryChange = createEntryChange(registry, () => parts.shared.ownKey().endpointId)
  const enterPeer = createEnterPeer(registry, entryChange)
  const completeJoin = createCompleteJoin(parts, enterPeer)
  const unfinished = createUnfinishedJoins({ joins, completeJoin, clock: parts.clock, log: parts.log })
  return {
    offer: createOffer(parts),
    join: createJoin(parts, entryChange, completeJoin, unfinished.wake),
    enter: createEnter(parts, enterPeer),
    unfinished,
  }
}
