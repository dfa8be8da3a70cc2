/**
 * Delivers a push to a peer: the push, then what the peer needs, until the peer sends its final acknowledgement. When a
 * delivery that failed is tried again is decided in plugins/sync/engine/delivery/retry.ts.
 */

import type { TraceContext } from '../../../../core/http/request.ts'
import { isObject } from '../../../../core/kernel/values.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { DeliveredPush, Envelope, PeerTransport } from '../../../sync/api.ts'
import type { PeerEntry } from '../../api.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import { projectOptions } from '../../registry/command-lines.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { badAnswer, PeerRefusal } from '../asking/peer-refusal.ts'
import { paths } from '../paths.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { projectOf } from '../wire/bodies.ts'
import { createGiveCommands, type GiveCommandsParts, HEAD_BYTES, writeAcknowledgement } from './give-commands.ts'
import { createProgressCheck, readNeed } from './need.ts'

/** What a delivery needs. */
export interface DeliverParts extends GiveCommandsParts {
  readonly registry: Pick<PeerRegistry, 'entry'>
  readonly statistics: PeerStatistics
  readonly faults: Pick<Faults, 'refused'>
}

/**
 * Creates the deliveries of a node. Each resolves once the final acknowledgement is written, and rejects with the
 * reason otherwise.
 */
export function createDeliver(parts: DeliverParts): PeerTransport['deliver'] {
  const { registry, asking, boards, statistics, accept, maxBodyBytes } = parts
  const giveCommands = createGiveCommands(parts)
  const giveContent = createGiveContent(parts)

  /** The commands that the peer is expected to lack. None if they do not fit into the request of the push. */
  const likelyCommands = async (
    peer: string,
    project: string,
    pinned: readonly string[],
    room: number,
  ): Promise<readonly unknown[]> => {
    const heads = statistics.of(peer).heads.get(project)
    if (pinned.length === 0 || heads === undefined) return []
    const { commands } = await boards.read((reads) => reads.missing(project, heads, room, undefined, pinned))
    const envelopes = commands.map(({ envelope }) => envelope)
    // The first command is returned whatever its size. A push that leaves no room for it is sent alone.
    return JSON.stringify(envelopes).length <= room ? envelopes : []
  }

  const deliver = async (envelope: Envelope, endpointId: string, about: DeliveredPush): Promise<undefined> => {
    const project = projectOf(envelope.domain)
    const entry = requireTarget(await registry.entry(endpointId), endpointId, project)
    const { frontier } = about
    const pinned = frontier?.heads ?? []
    const push = { ...(JSON.parse(envelope.signedText) as object), signature: envelope.signature }
    const room = maxBodyBytes - HEAD_BYTES - JSON.stringify(push).length
    const trace = parts.traceOf(envelope.pushId)
    const checkProgress = createProgressCheck()
    let commands = await likelyCommands(endpointId, project, pinned, room)
    for (;;) {
      const body = { push, frontier, commands }
      const answer = await asking.ask(entry, { method: 'POST', path: paths.pushes, body, trace })
      if (!isObject(answer)) throw badAnswer('The answer of the peer is no object.')
      if (await writeAcknowledgement(accept, answer['ack'], endpointId, about)) return undefined
      const need = readNeed(answer['need'])
      commands = []
      const { count, over } = await giveCommands(entry, envelope, need.heads, pinned)
      if (over) return undefined
      await giveContent(entry, envelope, need.content)
      checkProgress(need, count)
    }
  }

  return async (envelope, endpointId, about) => {
    try {
      return await deliver(envelope, endpointId, about)
    } catch (error) {
      if (error instanceof PeerRefusal && error.code === 'bad_answer')
        statistics.failed(endpointId, error.code, error.message)
      await parts.faults.refused(endpointId, projectOf(envelope.domain), error)
      throw error
    }
  }
}

/** The entry of a target. Throws if there is none, or if it does not name the project. */
function requireTarget(entry: PeerEntry | undefined, endpointId: string, project: string): PeerEntry {
  if (entry === undefined)
    throw new PeerRefusal(
      'peer_unknown',
      `No entry for this target: svc peer add ${endpointId} --address host:port --project ${project}`,
    )
  if (!entry.projects.includes(project))
    throw new PeerRefusal(
      'scope_not_found',
      `The entry of this peer does not name the project: svc peer add ${endpointId}${projectOptions([...entry.projects, project])}`,
    )
  return entry
}

/** What sending texts needs. */
export interface GiveContentParts {
  readonly asking: Asking
  readonly boards: Boards
  /** The trace of the request that made a push. */
  readonly traceOf: (pushId: string) => TraceContext | undefined
}

/**
 * Sends the texts of some hashes. Rejects with `content_missing`, after sending the others, if this node lacks one of
 * them.
 */
export type GiveContent = (entry: PeerEntry, envelope: Envelope, hashes: readonly string[]) => Promise<void>

/** Creates the sending of texts. */
function createGiveContent({ asking, boards, traceOf }: GiveContentParts): GiveContent {
  return async (entry, { domain, pushId }, hashes) => {
    const project = projectOf(domain)
    const trace = traceOf(pushId)
    let lacking = 0
    for (const hash of hashes) {
      const body = await boards.read((reads) => reads.contentFor(project, hash, entry.endpointId))
      if (body === undefined) lacking++
      else await asking.ask(entry, { method: 'PUT', path: `${paths.project(project)}/content/${hash}`, body, trace })
    }
    if (lacking > 0) throw new PeerRefusal('content_missing', `${lacking} texts that the peer needs are not here.`)
  }
}
