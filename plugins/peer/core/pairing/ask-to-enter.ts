/**
 * The requests of a join: the one that enters this node at the node that made the code, and the one that asks whether
 * it has.
 */
import { isObject } from '../../../../core/kernel/values.ts'
import type { PeerEntry } from '../../api.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { PeerRefusal } from '../asking/peer-refusal.ts'
import { paths } from '../paths.ts'
import type { PairingCode } from './pairing-code.ts'
import type { PairedDevice } from './pairing-devices.ts'

/** What this node sends with the secret of a code. */
export interface Entering {
  readonly addresses: readonly string[]
  readonly devices: readonly PairedDevice[] | null
}

/** The outcome of the request. */
export type EnterAnswer =
  /** The devices of the answer; null if none are exchanged. They are not checked yet. */
  | { readonly devices: unknown }
  | {
      readonly refusal: PeerRefusal
      /** Whether the other node may have entered this node nevertheless. */
      readonly mayBeEntered: boolean
    }

/**
 * Calls the node that made a code. A request that gets no answer is repeated once, because the same node may enter
 * again.
 */
export async function askToEnter(
  asking: Pick<Asking, 'ask'>,
  code: PairingCode,
  { addresses, devices }: Entering,
): Promise<EnterAnswer> {
  const body = { addresses, devices, secret: code.secret }
  const attempt = async (): Promise<EnterAnswer> => {
    try {
      const answer = await asking.ask(toEntry(code), { method: 'POST', path: paths.pairings, body })
      return { devices: isObject(answer) ? (answer['devices'] ?? null) : null }
    } catch (error) {
      if (!(error instanceof PeerRefusal)) throw error
      // An answer that cannot be read comes from a node that may have done its part.
      return { refusal: error, mayBeEntered: isUnanswered(error) || error.code === 'bad_answer' }
    }
  }
  const first = await attempt()
  // A kept connection may have ended since an earlier exchange, and a node that is killed closes its connections as for
  // a stranger.
  if (!('refusal' in first) || !['unreachable', 'not_listed'].includes(first.refusal.code)) return first
  const second = await attempt()
  if (!('refusal' in second)) return second
  // Two connections that were closed after the handshake are those of a stranger.
  const isStranger = first.refusal.code === 'not_listed' && second.refusal.code === 'not_listed'
  return { refusal: second.refusal, mayBeEntered: !isStranger && (first.mayBeEntered || second.mayBeEntered) }
}

/**
 * Whether the other node has entered this one for all projects of a code. Rejects with a `PeerRefusal` if it does not
 * answer, or answers something that says nothing about it, such as that this node asks too often.
 */
export async function isEnteredThere(asking: Pick<Asking, 'ask'>, code: PairingCode): Promise<boolean> {
  for (const project of code.projects)
    try {
      await asking.ask(toEntry(code), { method: 'GET', path: `${paths.project(project)}/frontier` })
    } catch (error) {
      if (error instanceof PeerRefusal && ['not_listed', 'scope_not_found'].includes(error.code)) return false
      throw error
    }
  return true
}

/** Whether a request has no answer, or one that says nothing about it: 5xx. */
export function isUnanswered({ status, isUnsent }: PeerRefusal): boolean {
  return !isUnsent && (status === 0 || status >= 500)
}

function toEntry({ endpointId, addresses, projects }: PairingCode): PeerEntry {
  return { endpointId, addresses, label: null, projects, source: 'cli' }
}
