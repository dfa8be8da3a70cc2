/** `POST /api/v1/peers/pairings`: opens a pairing and returns its code, for the owner of this node. */

import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Clock, Random } from '../../../../core/kernel/environment.ts'
import type { ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { malformed, members } from '../wire/bodies.ts'
import { hashSecret, isTexts, SECRET_BYTES, toPairingCode } from './pairing-code.ts'
import { devicesOf, MAX_ANSWER_BYTES } from './pairing-devices.ts'
import { checkEntry, labelTaken, readAddresses, readOptions } from './pairing-requests.ts'

/** What opening a pairing needs. */
export interface OfferParts {
  readonly store: Pick<ReceiptStore, 'read'>
  readonly peerStore: Pick<PeerStore, 'registry' | 'pairings'>
  readonly shared: SyncShared
  /** The addresses at which this node listens for peers. */
  readonly ownAddresses: () => readonly string[]
  readonly clock: Clock
  readonly random: Random
}

/** Most projects of one code. */
const MAX_PROJECTS = 64

/** Creates the handler. */
export function createOffer(parts: OfferParts): Handler {
  const { store, shared, clock, random } = parts
  const { registry, pairings } = parts.peerStore

  const requireProjects = async (projects: readonly string[]): Promise<void> => {
    const missing = await store.read((ledger) => projects.find((project) => !ledger.hasProject(project)))
    if (missing !== undefined)
      throw fail('scope_not_found', {
        message: `This node has no project ${missing}. To create it: svc device enroll --key <keyId> --scope kbd-control:${missing}`,
      })
  }

  return async (request) => {
    const body = members(shared.admitJson(await request.body()), 'addresses', 'devices', 'label', 'projects')
    const { devices, label, projects } = readOptions(body)
    if (!isTexts(projects)) throw malformed('/projects')
    if (projects.length === 0 || projects.length > MAX_PROJECTS)
      throw fail('malformed_request', {
        message: `A code names 1 to ${MAX_PROJECTS} projects; this names ${projects.length}.`,
      })
    const addresses = readAddresses(body.addresses) ?? parts.ownAddresses()
    const { endpointId } = shared.ownKey()
    checkEntry({ endpointId, addresses, label, projects })
    if (addresses.length === 0)
      throw fail('malformed_request', {
        message:
          'No address is known at which the other node can call this one: set peer.listen, or name one with --address host:port.',
      })
    await requireProjects(projects)
    const holder = label === null ? undefined : await registry.find(label).catch(() => undefined)
    if (holder !== undefined) throw labelTaken()
    // Refused now, and not when the other node joins.
    if (devices) await store.read((ledger) => void devicesOf(ledger, projects, clock.now(), MAX_ANSWER_BYTES))
    const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')
    const secretHash = hashSecret(secret, shared.sha256)
    const expiresAtMs = await pairings.open({ secretHash, label, projects, devices })
    if (expiresAtMs === undefined)
      throw fail('rate_limited', { message: 'Too many pairings are open. Each ends after ten minutes.' })
    const code = toPairingCode({ endpointId, addresses, projects, devices, secret })
    return json(201, { code, expiresAtMs }, { 'cache-control': 'no-store' })
  }
}
