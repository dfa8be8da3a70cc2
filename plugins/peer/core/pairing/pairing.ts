/** Pairing: one node offers a code, another joins with it, and each enters the other. */
import type { Clock, Random } from '../../../../core/environment.ts'
import { isSvcError } from '../../../../core/errors.ts'
import { json, type Reply } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Logger } from '../../../../core/log.ts'
import type { Ledger, ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import type { PeerConnection, PeerEntry } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { findWrong, type PeerParts } from '../../registry/entry.ts'
import type { Pairing, PairingMisfit } from '../../registry/pairings.ts'
import { type Asking, PeerRefusal, type Question } from '../asking/ask-peer.ts'
import { paths } from '../routes.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import { malformed, members, type ReadBody } from '../wire/bodies.ts'
import { isSecret, isTexts, type PairingCode, readPairingCode, toPairingCode } from './pairing-code.ts'
import { devicesOf, enrolIn, readDevices } from './pairing-devices.ts'

/** What pairing works with. */
export interface PairingParts {
  readonly store: ReceiptStore
  readonly peerStore: PeerStore
  readonly shared: SyncShared
  readonly asking: Asking
  readonly faults: Pick<Faults, 'stranger'>
  readonly readBody: ReadBody
  /** Where this node listens for peers. */
  readonly ownAddresses: () => readonly string[]
  /** Called with the connection of a node that has just been entered. */
  readonly entered: (connection: PeerConnection) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** The handlers of pairing. */
export interface PairingRoutes {
  /** Opens a pairing and returns its code, for the owner of this node. */
  offer(request: SvcRequest): Promise<Reply>
  /** Joins the node that made a code, for the owner of this node. */
  join(request: SvcRequest): Promise<Reply>
  /** Enters the node that calls with the secret of an open pairing. */
  enter(request: SvcRequest): Promise<Reply>
}

/** Ten minutes: long enough to carry a code to another machine. */
const LIFE_MS = 600_000
const SECRET_BYTES = 16
/** Projects of one code. */
const MAX_PROJECTS = 64

/** Creates the handlers. */
export function createPairing(parts: PairingParts): PairingRoutes {
  const { store, peerStore, shared, asking, clock, random, log } = parts
  const { registry, pairings } = peerStore
  const ownId = (): string => shared.ownKey().endpointId
  const hashOf = (secret: string): string =>
    Buffer.from(shared.sha256(Buffer.from(secret, 'base64url'))).toString('hex')
  const enrol = (ledger: Ledger, value: unknown, projects: readonly string[]): number =>
    enrolIn(ledger, readDevices(value), projects, { nowMs: clock.now(), uuid: random.uuid })
  /** Adds projects to the entry of a peer, and what else is given. Throws `peer_read_only`, `peer_label_taken`. */
  const addTo = (ledger: Ledger, entry: Omit<PeerParts, 'addresses'> & Partial<PeerParts>): PeerParts => {
    const { endpointId, addresses, label } = entry
    const before = registry.entryIn(ledger, endpointId)
    const projects = [...new Set([...(before?.projects ?? []), ...entry.projects])].sort()
    check({ endpointId, addresses: [], label: null, projects }, ownId())
    return registry.changeIn(ledger, endpointId, {
      projects,
      addresses: addresses?.length === 0 ? undefined : addresses,
      label: label ?? undefined,
    })
  }
  const enterIn = (ledger: Ledger, endpointId: string, { label, projects }: Pairing, addresses: readonly string[]) => {
    try {
      return addTo(ledger, { endpointId, addresses, label, projects })
    } catch (error) {
      // The label was given to another peer since the code was made. The node is entered without one.
      if (!isSvcError(error, 'peer_label_taken')) throw error
      return addTo(ledger, { endpointId, addresses, label: null, projects })
    }
  }

  return {
    async offer(request) {
      const body = members(shared.admitJson(await request.body()), 'addresses', 'devices', 'label', 'projects')
      const { devices, label, projects } = readWish(body)
      if (!isTexts(projects) || projects.length === 0 || projects.length > MAX_PROJECTS) throw malformed('/projects')
      const addresses = readAddresses(body.addresses) ?? parts.ownAddresses()
      check({ endpointId: ownId(), addresses, label, projects })
      if (addresses.length === 0)
        throw fail('malformed_request', {
          message:
            'No address is known at which the other node can call this one: set peer.listen, or name one with --address host:port.',
        })
      const missing = await store.read((ledger) => projects.find((project) => !ledger.hasProject(project)))
      if (missing !== undefined)
        throw fail('scope_not_found', {
          message: `This node has no project ${missing}. To create it: svc device enroll --key <keyId> --scope kbd-control:${missing}`,
        })
      const taken = label === null ? undefined : await registry.find(label).catch(() => undefined)
      if (taken !== undefined) throw fail('malformed_request', { message: 'Another peer has this label.' })
      const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')
      const expiresAtMs = clock.now() + LIFE_MS
      if (!(await pairings.open({ secretHash: hashOf(secret), label, projects, devices, expiresAtMs })))
        throw fail('rate_limited', { message: 'Too many pairings are open. Each ends after ten minutes.' })
      const code = toPairingCode({ endpointId: ownId(), addresses, projects, devices, secret })
      return json(201, { code, expiresAtMs }, { 'cache-control': 'no-store' })
    },

    async enter(request) {
      const body = members(shared.admitJson(await parts.readBody(request)), 'addresses', 'devices', 'secret')
      const { secret, devices } = body
      const addresses = readAddresses(body.addresses)
      if (addresses === undefined || !isSecret(secret)) throw malformed('/')
      const endpointId = request.identity.user!
      check({ endpointId, addresses, label: null, projects: [] })
      const given = devices === null ? [] : readDevices(devices)
      const done = await store.write((ledger) => {
        const pairing = pairings.useIn(ledger, hashOf(secret), endpointId)
        if (typeof pairing === 'string') return pairing
        const { projects } = pairing
        if (registry.entryIn(ledger, endpointId)?.source !== 'settings') enterIn(ledger, endpointId, pairing, addresses)
        const exchanges = pairing.devices && devices !== null
        const own = exchanges ? devicesOf(ledger, projects, clock.now()) : null
        return { projects, devices: own, enrolled: exchanges ? enrol(ledger, given, projects) : 0 }
      })
      if (typeof done === 'string') {
        await parts.faults.stranger(endpointId, 'pairing_invalid')
        if (done === 'used')
          log.warn('A second node has called with the code of a pairing: the code was seen by others.', {
            peer: endpointId,
          })
        throw fail('pairing_invalid', { message: MISFITS[done] })
      }
      parts.entered(request.peer as PeerConnection)
      log.info('A node was entered by its pairing code.', { peer: endpointId, enrolled: done.enrolled })
      return json(200, { projects: done.projects, devices: done.devices }, { 'cache-control': 'no-store' })
    },

    async join(request) {
      const body = members(shared.admitJson(await request.body()), 'addresses', 'code', 'devices', 'label', 'projects')
      const code = typeof body.code === 'string' ? readPairingCode(body.code) : undefined
      if (code === undefined)
        throw fail('malformed_request', {
          message:
            'This is no pairing code, or a part of it is missing. On the other node: svc peer pair --project <project>',
        })
      const { devices, label, projects: named } = readWish(body)
      const addresses = readAddresses(body.addresses) ?? parts.ownAddresses()
      if (!isTexts(named)) throw malformed('/projects')
      const { endpointId, projects } = code
      check({ endpointId, addresses: code.addresses, label, projects }, ownId())
      check({ endpointId, addresses, label: null, projects: named })
      const own = await store.read((ledger) => {
        const entry = registry.entryIn(ledger, endpointId)
        const shown = projects.find(
          (project) => ledger.hasProject(project) && !named.includes(project) && !entry?.projects.includes(project),
        )
        if (shown !== undefined) throw fail('project_exists', toShown(shown))
        return devices ? devicesOf(ledger, projects, clock.now()) : null
      })
      const holder = label === null ? undefined : await registry.find(label).catch(() => undefined)
      if (holder !== undefined && holder.endpointId !== endpointId)
        throw fail('malformed_request', { message: 'Another peer has this label.' })
      const answer = await askToEnter(asking, code, { addresses, devices: own })
      const taken = await store.write((ledger) => {
        if (registry.entryIn(ledger, endpointId)?.source !== 'settings')
          addTo(ledger, { endpointId, addresses: code.addresses, label, projects })
        return devices && answer.devices !== null ? enrol(ledger, answer.devices, projects) : 0
      })
      const entry = await registry.entry(endpointId)
      const gave = answer.devices !== null
      return json(200, { endpointId, label: entry?.label ?? null, projects, enrolled: taken, devicesExchanged: gave })
    },
  }
}

const MISFITS: Readonly<Record<PairingMisfit, string>> = {
  unknown: 'No pairing of this node has this secret.',
  expired: 'The pairing code has expired. A code is valid for ten minutes, by the clock of the node that made it.',
  used: 'Another node has used this pairing code. If its owner did not expect that, svc peer list there names the node.',
}

/** Calls the node that made a code. Rejects with `peer_delivery_failed`. */
async function askToEnter(
  asking: Asking,
  { endpointId, addresses, projects, secret }: PairingCode,
  { addresses: own, devices }: { readonly addresses: readonly string[]; readonly devices: unknown },
): Promise<{ readonly devices: unknown }> {
  const entry: PeerEntry = { endpointId, addresses, label: null, projects, source: 'cli' }
  const question: Question = { method: 'POST', path: paths.pairings, body: { addresses: own, devices, secret } }
  try {
    const answer = await asking.ask(entry, question).catch((error: unknown) => {
      // A connection that was kept since an earlier exchange may have ended. The same node may enter again.
      if (!(error instanceof PeerRefusal) || error.code !== 'unreachable') throw error
      return asking.ask(entry, question)
    })
    return members(answer, 'devices', 'projects')
  } catch (error) {
    if (!(error instanceof PeerRefusal)) throw error
    const message = error.code === 'not_listed' ? NOTHING_OPEN : error.message
    throw fail('peer_delivery_failed', { message, details: { peerCode: error.code } })
  }
}

const NOTHING_OPEN =
  'The other node has no open pairing, or has too many callers: the code may have expired or been used. There: svc peer pair --project <project>'

function toShown(project: string): { readonly message: string } {
  return {
    message: `This node has a project ${project}, which the other node could read. To share it: svc peer join - --project ${project}`,
  }
}

function readWish({ devices, label, projects }: Readonly<Record<'devices' | 'label' | 'projects', unknown>>): {
  readonly devices: boolean
  readonly label: string | null
  readonly projects: unknown
} {
  if (typeof devices !== 'boolean') throw malformed('/devices')
  if (!(label === null || typeof label === 'string')) throw malformed('/label')
  return { devices, label, projects: isTexts(projects) ? [...new Set(projects)].sort() : projects }
}

/** A list of addresses; undefined for null, which leaves the choice to the node. */
function readAddresses(value: unknown): readonly string[] | undefined {
  if (value === null) return undefined
  if (!isTexts(value)) throw malformed('/addresses')
  return value
}

/** Throws `malformed_request` in words if an entry could not be made. */
function check(entry: PeerParts, ownId?: string): void {
  const wrong = findWrong(entry, ownId)
  if (wrong !== undefined) throw fail('malformed_request', { message: `${wrong[0]!.toUpperCase()}${wrong.slice(1)}.` })
}
