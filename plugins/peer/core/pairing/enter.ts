/** `POST /api/v2/peer/pairings`: enters the node that calls with the secret of an open pairing. */

import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Clock, Random } from '../../../../core/kernel/environment.ts'
import type { Logger } from '../../../../core/kernel/log.ts'
import type { ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import type { PeerConnection } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { PAIRING_LIFE_MS, type PairingMisfit } from '../../registry/pairings.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import { callerOf, malformed, members, type ReadBody } from '../wire/bodies.ts'
import { type EnterPeer, enterWithFreeLabel } from './enter-peer.ts'
import { hashSecret, isSecret } from './pairing-code.ts'
import { devicesOf, enrolIn, hasRevoked, MAX_ANSWER_BYTES, type PairedDevice, readDevices } from './pairing-devices.ts'
import { checkEntry, readAddresses } from './pairing-requests.ts'

/** What entering a node needs. */
export interface EnterParts {
  readonly store: Pick<ReceiptStore, 'write'>
  readonly peerStore: Pick<PeerStore, 'pairings'>
  readonly shared: SyncShared
  readonly faults: Pick<Faults, 'stranger'>
  readonly readBody: ReadBody
  /** Called with the connection of a node that has entered itself with a pairing code. */
  readonly entered: (connection: PeerConnection) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** The result of entering a node. */
interface Entered {
  readonly projects: readonly string[]
  /** The devices of this node; null if one side does not exchange devices. */
  readonly devices: readonly PairedDevice[] | null
  /** How many devices of the other node were enrolled. */
  readonly enrolled: number
}

/** Why a code opens nothing; `ended`: the owner has revoked a device since. */
type Misfit = PairingMisfit | 'ended'

const MISFITS: Readonly<Record<Misfit, string>> = {
  unknown: 'No pairing of this node has this secret.',
  expired: 'The pairing code has expired. A code is valid for ten minutes, by the clock of the node that made it.',
  used: 'Another node has used this pairing code. If its owner did not expect that, svc peer list there names the node.',
  ended: 'The owner of the other node has revoked a device since this pairing code was made, which ends the code.',
}

/** Creates the handler. */
export function createEnter(parts: EnterParts, enterPeer: EnterPeer): Handler {
  const { store, shared, clock, random, log } = parts
  const { pairings } = parts.peerStore

  const refuse = async (endpointId: string, misfit: Misfit): Promise<never> => {
    await parts.faults.stranger(endpointId, 'pairing_invalid')
    if (misfit === 'used')
      log.warn('A second node has called with the code of a pairing: the code was seen by others.', {
        peer: endpointId,
      })
    throw fail('pairing_invalid', { message: MISFITS[misfit] })
  }

  return async (request) => {
    const body = members(shared.admitJson(await parts.readBody(request)), 'addresses', 'devices', 'secret')
    const { secret } = body
    const addresses = readAddresses(body.addresses)
    if (addresses === undefined || !isSecret(secret)) throw malformed('/')
    const endpointId = callerOf(request)
    checkEntry({ endpointId, addresses, label: null, projects: [] })
    const pairedDevices = body.devices === null ? null : readDevices(body.devices)
    const done = await store.write((ledger): Entered | Misfit => {
      const secretHash = hashSecret(secret, shared.sha256)
      const use = pairings.useIn(ledger, { secretHash, endpointId, devices: pairedDevices !== null })
      if (typeof use === 'string') return use
      const { isFirst, pairing } = use
      const { label, projects, devices: exchanges, expiresAtMs } = pairing
      if (exchanges && hasRevoked(ledger, projects, expiresAtMs - PAIRING_LIFE_MS)) return 'ended'
      const devices = exchanges ? devicesOf(ledger, projects, clock.now(), MAX_ANSWER_BYTES) : null
      if (!isFirst) return { projects, devices, enrolled: 0 }
      enterWithFreeLabel(enterPeer, ledger, { endpointId, addresses, label, projects })
      const times = { nowMs: clock.now(), uuid: random.uuid }
      return { projects, devices, enrolled: exchanges ? enrolIn(ledger, pairedDevices ?? [], projects, times) : 0 }
    })
    if (typeof done === 'string') return refuse(endpointId, done)
    parts.entered(request.peer as PeerConnection)
    log.info('A node was entered by its pairing code, or has repeated its request.', {
      peer: endpointId,
      enrolled: done.enrolled,
    })
    return json(200, { projects: done.projects, devices: done.devices }, { 'cache-control': 'no-store' })
  }
}
