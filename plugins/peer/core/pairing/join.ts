/** `POST /api/v1/peers/join`: joins the node that made a code, for the owner of this node. */
import type { Clock, Random } from '../../../../core/environment.ts'
import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import { isObject } from '../../../../core/is-object.ts'
import { projectOfScope } from '../../../protocol/scopes.ts'
import type { LedgerReads, ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import type { PeerEntry } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { type JoinOptions, joinCommand, pairCommand } from '../../registry/command-lines.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { PeerRefusal } from '../asking/peer-refusal.ts'
import type { Question } from '../asking/send-request.ts'
import { paths } from '../routes.ts'
import { malformed, members } from '../wire/bodies.ts'
import { type EnterPeer, type EntryChange, enterWithFreeLabel } from './enter-peer.ts'
import { hashSecret, isTexts, type PairingCode, readPairingCode } from './pairing-code.ts'
import { devicesOf, enrolIn, type PairedDevice, readDevices } from './pairing-devices.ts'
import { checkEntry, labelTaken, readAddresses, readOptions } from './pairing-requests.ts'

/** What joining needs. */
export interface JoinParts {
  readonly store: Pick<ReceiptStore, 'read' | 'write' | 'checkWritable'>
  readonly peerStore: Pick<PeerStore, 'registry' | 'pairings'>
  readonly shared: SyncShared
  readonly asking: Pick<Asking, 'ask'>
  /** The addresses at which this node listens for peers. */
  readonly ownAddresses: () => readonly string[]
  readonly clock: Clock
  readonly random: Random
}

/** Most bytes of the devices in a request, whose body is at most 64 KiB with 16 addresses. */
const MAX_REQUEST_BYTES = 60_000

/** Creates the handler. */
export function createJoin(parts: JoinParts, enterPeer: EnterPeer, entryChange: EntryChange): Handler {
  const { store, shared, asking, clock, random } = parts
  const { registry, pairings } = parts.peerStore

  /** Whether this node has a project, or an entry of another peer or the scope of a device names it. */
  const isHad = (ledger: LedgerReads, project: string, joined: string): boolean =>
    ledger.hasProject(project) ||
    registry.listIn(ledger).some((entry) => entry.endpointId !== joined && entry.projects.includes(project)) ||
    ledger.devices().some(({ scopes }) => scopes.some((scope) => projectOfScope(scope) === project))

  const requireFreeLabel = async (label: string, endpointId: string): Promise<void> => {
    const holder = await registry.find(label).catch(() => undefined)
    if (holder !== undefined && holder.endpointId !== endpointId) throw labelTaken()
  }

  return async (request) => {
    const body = members(shared.admitJson(await request.body()), 'addresses', 'code', 'devices', 'label', 'projects')
    const code = readCode(body.code)
    const { devices, label, projects: named } = readOptions(body)
    const given = readAddresses(body.addresses)
    const addresses = given ?? parts.ownAddresses()
    if (!isTexts(named)) throw malformed('/projects')
    const { endpointId, projects } = code
    checkEntry({ endpointId, addresses: code.addresses, label, projects }, shared.ownKey().endpointId)
    checkEntry({ endpointId, addresses, label: null, projects: named })
    const own = await store.read((ledger) => {
      const shared = [...named, ...(registry.entryIn(ledger, endpointId)?.projects ?? [])]
      const unnamed = projects.filter((project) => !shared.includes(project) && isHad(ledger, project, endpointId))
      if (unnamed.length > 0) throw projectExists(unnamed, { addresses: given, devices, label, projects: named })
      return devices ? devicesOf(ledger, projects, clock.now(), MAX_REQUEST_BYTES) : null
    })
    if (label !== null) await requireFreeLabel(label, endpointId)
    // What could fail after the other node has entered this one is tried before: a full entry, and a store that takes no writes.
    const entered = { endpointId, addresses: code.addresses, label, projects }
    await store.read((ledger) => void entryChange(ledger, entered))
    await store.checkWritable?.()
    const answered = await askToEnter(asking, code, { addresses, devices: own })
    const found = devices ? devicesIn(answered) : []
    const secretHash = hashSecret(code.secret, shared.sha256)
    const enrolled = await store.write((ledger) => {
      if (!pairings.joinIn(ledger, { secretHash, endpointId, projects })) return 0
      enterWithFreeLabel(enterPeer, ledger, entered)
      return enrolIn(ledger, found ?? [], projects, { nowMs: clock.now(), uuid: random.uuid })
    })
    if (found === undefined) throw fail('peer_delivery_failed', { message: UNREADABLE })
    const entry = await registry.entry(endpointId)
    const devicesExchanged = answered !== null
    return json(200, { endpointId, label: entry?.label ?? null, projects, enrolled, devicesExchanged })
  }
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

function readCode(value: unknown): PairingCode {
  const code = typeof value === 'string' ? readPairingCode(value) : undefined
  if (code === undefined)
    throw fail('malformed_request', {
      message:
        'This is no pairing code, or a part of it is missing. On the other node: svc peer pair --project <project>',
    })
  return code
}

/** The refusal of a code that opens projects of this node that the owner has not named for the other node. */
function projectExists(
  unnamed: readonly string[],
  options: JoinOptions & { readonly projects: readonly string[] },
): Error {
  const command = joinCommand({ ...options, projects: [...options.projects, ...unnamed] })
  const which = unnamed.length === 1 ? `a project ${unnamed[0]}` : `the projects ${unnamed.slice(0, 8).join(', ')}`
  return fail('project_exists', {
    message: `This node has or expects ${which}, which the other node could read. To share: ${command}`,
  })
}

/** Why the other node refused the code, and the command that makes a new one there. */
function refusedCode({ code, message }: PeerRefusal, projects: readonly string[], devices: boolean): string {
  const remedy = `There: ${pairCommand(projects, devices)}`
  if (code === 'pairing_invalid') return `${message} ${remedy}`
  if (code !== 'not_listed') return message
  return `The other node has no open pairing, or has too many callers: the code may have expired or been used. ${remedy}`
}

/** Calls the node that made a code. Returns the devices of its answer; null if none are exchanged. Rejects with `peer_delivery_failed`. */
async function askToEnter(
  asking: Pick<Asking, 'ask'>,
  { endpointId, addresses, projects, secret }: PairingCode,
  { addresses: own, devices }: { readonly addresses: readonly string[]; readonly devices: unknown },
): Promise<unknown> {
  const entry: PeerEntry = { endpointId, addresses, label: null, projects, source: 'cli' }
  const question: Question = { method: 'POST', path: paths.pairings, body: { addresses: own, devices, secret } }
  try {
    const answer = await asking.ask(entry, question).catch((error: unknown) => {
      // A connection that was kept since an earlier exchange may have ended. The same node may enter again.
      if (!(error instanceof PeerRefusal) || error.code !== 'unreachable') throw error
      return asking.ask(entry, question)
    })
    return isObject(answer) ? (answer['devices'] ?? null) : null
  } catch (error) {
    if (!(error instanceof PeerRefusal)) throw error
    const message = refusedCode(error, projects, devices !== null)
    throw fail('peer_delivery_failed', { message, details: { peerCode: error.code } })
  }
}
