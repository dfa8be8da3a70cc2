/** `POST /api/v1/peers/join`: joins the node that made a code, for the owner of this node. */
import type { Clock, Random } from '../../../../core/environment.ts'
import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { LedgerReads, ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import type { PeerEntry } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { PeerRefusal } from '../asking/peer-refusal.ts'
import type { Question } from '../asking/send-request.ts'
import { paths } from '../routes.ts'
import { malformed, members } from '../wire/bodies.ts'
import type { EnterPeer } from './enter-peer.ts'
import { isTexts, type PairingCode, readPairingCode } from './pairing-code.ts'
import { devicesOf, enrolIn, readDevices } from './pairing-devices.ts'
import { checkEntry, labelTaken, readAddresses, readOptions } from './pairing-requests.ts'

/** What joining needs. */
export interface JoinParts {
  readonly store: Pick<ReceiptStore, 'read' | 'write'>
  readonly peerStore: Pick<PeerStore, 'registry'>
  readonly shared: SyncShared
  readonly asking: Pick<Asking, 'ask'>
  /** The addresses at which this node listens for peers. */
  readonly ownAddresses: () => readonly string[]
  readonly clock: Clock
  readonly random: Random
}

/** Creates the handler. */
export function createJoin(parts: JoinParts, enterPeer: EnterPeer): Handler {
  const { store, shared, asking, clock, random } = parts
  const { registry } = parts.peerStore

  const requireFreeLabel = async (label: string, endpointId: string): Promise<void> => {
    const holder = await registry.find(label).catch(() => undefined)
    if (holder !== undefined && holder.endpointId !== endpointId) throw labelTaken()
  }

  return async (request) => {
    const body = members(shared.admitJson(await request.body()), 'addresses', 'code', 'devices', 'label', 'projects')
    const code = readCode(body.code)
    const { devices, label, projects: named } = readOptions(body)
    const addresses = readAddresses(body.addresses) ?? parts.ownAddresses()
    if (!isTexts(named)) throw malformed('/projects')
    const { endpointId, projects } = code
    checkEntry({ endpointId, addresses: code.addresses, label, projects }, shared.ownKey().endpointId)
    checkEntry({ endpointId, addresses, label: null, projects: named })
    const own = await store.read((ledger) => {
      requireNamed(ledger, code, [...named, ...(registry.entryIn(ledger, endpointId)?.projects ?? [])])
      return devices ? devicesOf(ledger, projects, clock.now()) : null
    })
    if (label !== null) await requireFreeLabel(label, endpointId)
    const answer = await askToEnter(asking, code, { addresses, devices: own })
    const given = devices && answer.devices !== null ? readDevices(answer.devices) : []
    const enrolled = await store.write((ledger) => {
      enterPeer(ledger, { endpointId, addresses: code.addresses, label, projects })
      return enrolIn(ledger, given, projects, { nowMs: clock.now(), uuid: random.uuid })
    })
    const entry = await registry.entry(endpointId)
    const devicesExchanged = answer.devices !== null
    return json(200, { endpointId, label: entry?.label ?? null, projects, enrolled, devicesExchanged })
  }
}

function readCode(value: unknown): PairingCode {
  const code = typeof value === 'string' ? readPairingCode(value) : undefined
  if (code === undefined)
    throw fail('malformed_request', {
      message:
        'This is no pairing code, or a part of it is missing. On the other node: svc peer pair --project <project>',
    })
  return code
}

/** Throws `project_exists` if the code opens a project of this node that the owner has not named for the other node. */
function requireNamed(
  ledger: Pick<LedgerReads, 'hasProject'>,
  { projects }: PairingCode,
  named: readonly string[],
): void {
  const shown = projects.find((project) => ledger.hasProject(project) && !named.includes(project))
  if (shown !== undefined)
    throw fail('project_exists', {
      message: `This node has a project ${shown}, which the other node could read. To share it: svc peer join - --project ${shown}`,
    })
}

const NOTHING_OPEN =
  'The other node has no open pairing, or has too many callers: the code may have expired or been used. There: svc peer pair --project <project>'

/** Calls the node that made a code. Rejects with `peer_delivery_failed`. */
async function askToEnter(
  asking: Pick<Asking, 'ask'>,
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
