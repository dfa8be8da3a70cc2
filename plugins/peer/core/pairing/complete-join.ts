/**
 * Completes a join that is stored. The node that made the code enters this node when the request arrives, and this node
 * enters it when the answer arrives. If the answer is lost, it is not known whether the other node has entered this
 * one: the join is stored before the request and removed only when that is known. Until then the request is repeated;
 * the other node changes nothing after the first time, and gives the same answer.
 */
import type { Clock, Random } from '../../../../core/kernel/environment.ts'
import type { Ledger, ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { pairCommand } from '../../registry/command-lines.ts'
import type { UnfinishedJoin } from '../../registry/joins.ts'
import { PAIRING_LIFE_MS } from '../../registry/pairings.ts'
import type { Asking } from '../asking/ask-peer.ts'
import type { PeerRefusal } from '../asking/peer-refusal.ts'
import { askToEnter, isEnteredThere, isUnanswered } from './ask-to-enter.ts'
import { type EnterPeer, enterWithFreeLabel } from './enter-peer.ts'
import { hashSecret, type PairingCode, requirePairingCode } from './pairing-code.ts'
import { devicesOf, enrolIn, type PairedDevice, readDevices } from './pairing-devices.ts'

/** What completing a join needs. */
export interface CompleteJoinParts {
  readonly store: Pick<ReceiptStore, 'read' | 'write'>
  readonly peerStore: Pick<PeerStore, 'registry' | 'pairings' | 'joins'>
  readonly shared: SyncShared
  readonly asking: Pick<Asking, 'ask'>
  readonly ownAddresses: () => readonly string[]
  readonly clock: Clock
  readonly random: Random
}

/** A join that is complete. */
export interface Joined {
  readonly endpointId: string
  readonly label: string | null
  readonly projects: readonly string[]
  readonly enrolled: number
  readonly devicesExchanged: boolean
}

/**
 * Completes a join. `isRepeat`: an earlier attempt may have entered this node there. Rejects with
 * `peer_delivery_failed`; then the join has ended, or is still stored if its outcome is not known.
 */
export type CompleteJoin = (join: UnfinishedJoin, isRepeat: boolean) => Promise<Joined>

/** Most bytes of the devices in a request, whose body is at most 64 KiB with 16 addresses. */
const MAX_REQUEST_BYTES = 60_000

/** Creates it. */
export function createCompleteJoin(parts: CompleteJoinParts, enterPeer: EnterPeer): CompleteJoin {
  const { store, shared, asking, clock, random } = parts
  const { registry, pairings, joins } = parts.peerStore
  const end = (join: UnfinishedJoin): Promise<boolean> => store.write((ledger) => joins.endIn(ledger, join))

  /** The devices of the other node, which has entered this one; null if none are exchanged. */
  const call = async (join: UnfinishedJoin, code: PairingCode, isRepeat: boolean): Promise<unknown> => {
    const { devices } = join
    const ownDevices = devices
      ? await store
          .read((ledger) => devicesOf(ledger, code.projects, clock.now(), MAX_REQUEST_BYTES))
          .catch(async (error: unknown) => {
            if (!isRepeat) await end(join)
            throw error
          })
      : null
    const addresses = join.addresses ?? parts.ownAddresses()
    const answer = await askToEnter(asking, code, { addresses, devices: ownDevices })
    if (!('refusal' in answer)) return answer.devices
    const { refusal, mayBeEntered } = answer
    const isOpen = isRepeat || mayBeEntered
    const isOver = clock.now() - join.begunAtMs >= PAIRING_LIFE_MS
    if (isOpen && isUndecided(refusal, isOver)) throw refused(refusal, code, devices, repeated(code))
    if (isOpen && (await isEntered(code, devices))) return null
    await end(join)
    throw refused(refusal, code, devices)
  }
  const isEntered = (code: PairingCode, devices: boolean): Promise<boolean> =>
    isEnteredThere(asking, code).catch((error: unknown) => {
      throw refused(error as PeerRefusal, code, devices, repeated(code))
    })

  return async (join, isRepeat) => {
    const { endpointId, devices, label } = join
    const code = requirePairingCode(join.code)
    const { addresses, projects } = code
    const answered = await call(join, code, isRepeat)
    const pairedDevices = devices ? devicesIn(answered) : []
    const secretHash = hashSecret(code.secret, shared.sha256)
    const enter = (ledger: Ledger): number => {
      pairings.joinIn(ledger, { secretHash, endpointId, projects })
      enterWithFreeLabel(enterPeer, ledger, { endpointId, addresses, label, projects })
      return enrolIn(ledger, pairedDevices ?? [], projects, { nowMs: clock.now(), uuid: random.uuid })
    }
    const enrolled = await store.write((ledger) => {
      const isBegun = joins.endIn(ledger, join)
      if (pairings.isUsedIn(ledger, secretHash)) return 0
      return isBegun ? enter(ledger) : undefined
    })
    if (enrolled === undefined) throw fail('peer_delivery_failed', { message: ENDED })
    if (pairedDevices === undefined) throw fail('peer_delivery_failed', { message: UNREADABLE })
    const entry = await registry.entry(endpointId)
    return { endpointId, label: entry?.label ?? null, projects, enrolled, devicesExchanged: answered !== null }
  }
}

/**
 * Whether a refusal leaves open whether the other node has entered this one, or will by a request that is still on its
 * way.
 */
function isUndecided(refusal: PeerRefusal, isOver: boolean): boolean {
  const { code, status, isUnsent } = refusal
  if (code === 'not_listed') return !isOver
  return (
    isUnsent || status === 429 || code === 'version_unsupported' || (code !== 'bad_answer' && isUnanswered(refusal))
  )
}

/** The devices of an answer; undefined if they cannot be read. The other node has entered this one in any case. */
function devicesIn(answered: unknown): readonly PairedDevice[] | undefined {
  try {
    return answered === null ? [] : readDevices(answered)
  } catch {
    return undefined
  }
}

const UNREADABLE =
  'Both nodes have entered each other, but the devices of the other node cannot be read here. There: svc device export, and here: svc device import.'

const ENDED =
  'The owner of this node has changed or removed the entry of the other node in the meantime, which ends the join. The other node may have entered this one: its owner removes it with svc peer remove.'

/** The end of the message if the outcome is not known. */
function repeated({ endpointId }: PairingCode): string {
  return `Whether the other node has entered this one is not known, so this node repeats the join by itself until it is. To end that: svc peer remove ${endpointId}`
}

function refused(refusal: PeerRefusal, { projects }: PairingCode, devices: boolean, more?: string): Error {
  const message = more === undefined ? refusedCode(refusal, projects, devices) : `${refusal.message} ${more}`
  return fail('peer_delivery_failed', { message, details: { peerCode: refusal.code } })
}

/** Why the other node refused the code, and the command that makes a new one there. */
function refusedCode({ code, message }: PeerRefusal, projects: readonly string[], devices: boolean): string {
  const remedy = `There: ${pairCommand(projects, devices)}`
  if (code === 'pairing_invalid') return `${message} ${remedy}`
  if (code !== 'not_listed') return message
  return `The other node has no open pairing, or has too many callers: the code may have expired or been used. ${remedy}`
}
