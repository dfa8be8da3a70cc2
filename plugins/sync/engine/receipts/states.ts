/** The state machines of a push: which steps are allowed, and when no step can follow. */
import type { LocalState, PeerState } from '../../api.ts'
import type { StoredPush } from '../store/api.ts'

declare const __SYNC_API__: boolean

const LOCAL_STEPS: Readonly<Record<LocalState, readonly LocalState[]>> = {
  accepted: ['prepared', 'failed'],
  prepared: ['applied_locally', 'failed'],
  applied_locally: ['broadcast', 'failed'],
  broadcast: [],
  failed: [],
}

const PEER_STEPS: Readonly<Record<PeerState | 'absent', readonly PeerState[]>> = {
  absent: ['received', 'applied', 'rejected'],
  received: ['applied', 'rejected'],
  applied: [],
  rejected: [],
}

/** Whether a step of the local state is allowed. */
export function mayGoLocal(from: LocalState, to: LocalState): boolean {
  return LOCAL_STEPS[from].includes(to)
}

/** Whether a step of a peer's state is allowed. `from` is undefined if the peer has confirmed nothing. */
export function mayGoPeer(from: PeerState | undefined, to: PeerState): boolean {
  return PEER_STEPS[from ?? 'absent'].includes(to)
}

/**
 * Whether no event can follow, so that the event stream of the push ends. `settleAfterMs` counts from the broadcast.
 */
export function isSettled(push: StoredPush, nowMs: number, settleAfterMs: number): boolean {
  if (push.localState === 'failed') return true
  // A push of a peer is sent by that peer and not by this node.
  if (
    (typeof __SYNC_API__ === 'undefined' || __SYNC_API__) &&
    push.origin !== null &&
    push.localState === 'applied_locally'
  )
    return true
  if (push.localState === 'applied_locally') return push.targets.length === 0
  if (push.localState !== 'broadcast') return false
  // A broadcast without its time, as only a damaged row has it, was long ago.
  if (nowMs >= (push.broadcastAtMs ?? 0) + settleAfterMs) return true
  return push.targets.every((target) => {
    const state = push.perPeer[target]?.state
    return state === 'applied' || state === 'rejected'
  })
}
