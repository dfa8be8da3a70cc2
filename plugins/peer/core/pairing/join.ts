/** `POST /api/v1/peers/join`: joins the node that made a code, for the owner of this node. */

import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Clock } from '../../../../core/kernel/environment.ts'
import { projectOfScope } from '../../../protocol/scopes.ts'
import type { LedgerReads, ReceiptStore, SyncShared } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { type JoinOptions, joinCommand } from '../../registry/command-lines.ts'
import { malformed, members } from '../wire/bodies.ts'
import type { CompleteJoin } from './complete-join.ts'
import type { EntryChange } from './enter-peer.ts'
import { isTexts, requirePairingCode } from './pairing-code.ts'
import { checkEntry, labelTaken, readAddresses, readOptions } from './pairing-requests.ts'

/** What joining needs. */
export interface JoinParts {
  readonly store: Pick<ReceiptStore, 'read' | 'write'>
  readonly peerStore: Pick<PeerStore, 'registry' | 'joins'>
  readonly shared: SyncShared
  /** The addresses at which this node listens for peers. */
  readonly ownAddresses: () => readonly string[]
  readonly clock: Clock
}

/** Creates the handler. `unfinished` is called if the outcome of a join is not known, so that the join is repeated. */
export function createJoin(
  parts: JoinParts,
  entryChange: EntryChange,
  completeJoin: CompleteJoin,
  unfinished: () => void,
): Handler {
  const { store, shared, clock } = parts
  const { registry, joins } = parts.peerStore

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
    const { code: text } = body
    const code = requirePairingCode(text)
    const { devices, label, projects: named } = readOptions(body)
    const addresses = readAddresses(body.addresses)
    if (!isTexts(named)) throw malformed('/projects')
    const { endpointId, projects } = code
    checkEntry({ endpointId, addresses: code.addresses, label, projects }, shared.ownKey().endpointId)
    checkEntry({ endpointId, addresses: addresses ?? parts.ownAddresses(), label: null, projects: named })
    await store.read((ledger) => {
      const shared = [...named, ...(registry.entryIn(ledger, endpointId)?.projects ?? [])]
      const unnamed = projects.filter((project) => !shared.includes(project) && isHad(ledger, project, endpointId))
      if (unnamed.length > 0) throw projectExists(unnamed, { addresses, devices, label, projects: named })
    })
    if (label !== null) await requireFreeLabel(label, endpointId)
    const join = {
      ...{ endpointId, code: String(text), addresses: addresses ?? null, devices, label },
      begunAtMs: clock.now(),
    }
    const isRepeat = await store.write((ledger) => {
      // What could fail after the other node has entered this one is tried before: a full entry, and a store that takes
      // no writes.
      entryChange(ledger, { endpointId, addresses: code.addresses, label, projects })
      return joins.beginIn(ledger, join)
    })
    try {
      return json(200, await completeJoin(join, isRepeat))
    } catch (error) {
      unfinished()
      throw error
    }
  }
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
