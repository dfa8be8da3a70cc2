/** `POST /api/v2/peer/pairings`: enters the node that calls with the secret of an open pairing. */
import type { Clock, Random } from '../../../../core/environment.ts'
import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Logger } from '../../../../core/log.ts'
import type { Ledger, ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import type { PeerConnection } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import type { PairingMisfit } from '../../registry/pairings.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import { malformed, members, type ReadBody } from '../wire/bodies.ts'
import { callerOf } from '../wire/caller.ts'
import { type EnterPeer, enterWithFreeLabel } from './enter-peer.ts'
import { hashSecret, isSecret } from './pairing-code.ts'
import { devicesOf, enrolIn, type PairedDevice, readDevices } from './pairing-devices.ts'
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

const MISFITS: Readonly<Record<PairingMisfit, string>> = {
  unknown: 'No pairing of this node has this secret.',
  expired: 'The pairing code has expired. A code is valid for ten minutes, by the clock of the node that made it.',
  used: 'Another node has used this pairing code. If its owner did not expect that, svc peer list there names the node.',
}

/** Creates the handler. */
export function createEnter(parts: EnterParts, enterPeer: EnterPeer): Handler {
  const { store, shared, clock, random, log } = parts
  const { pairings } = parts.peerStore

  const exchange = (
    ledger: Ledger,
    projects: readonly string[],
    given: readonly PairedDevice[],
  ): Pick<Entered, 'devices' | 'enrolled'> => {
    const devices = devicesOf(ledger, projects, clock.now())
    return { devices, enrolled: enrolIn(ledger, given, projects, { nowMs: clock.now(), uuid: random.uuid }) }
  }

  const refuse = async (endpointId: string, misfit: PairingMisfit): Promise<never> => {
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
    const given = body.devices === null ? null : readDevices(body.devices)
    const done = await store.write((ledger): Entered | PairingMisfit => {
      const pairing = pairings.useIn(ledger, hashSecret(secret, shared.sha256), endpointId)
      if (typeof pairing === 'string') return pairing
      const { label, projects } = pairing
      enterWithFreeLabel(enterPeer, ledger, { endpointId, addresses, label, projects })
      if (!pairing.devices || given === null) return { projects, devices: null, enrolled: 0 }
      return { projects, ...exchange(ledger, projects, given) }
    })
    if (typeof done === 'string') return refuse(endpointId, done)
    parts.entered(request.peer as PeerConnection)
    log.info('A node was entered by its pairing code.', { peer: endpointId, enrolled: done.enrolled })
    return json(200, { projects: done.projects, devices: done.devices }, { 'cache-control': 'no-store' })
  }
}
