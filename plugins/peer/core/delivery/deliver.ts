/** Delivers a push to a peer: the push, then what the peer needs, until the peer answers with its final acknowledgement. */
import type { TraceContext } from '../../../../core/http/request.ts'
import { isObject } from '../../../../core/is-object.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { DeliveredPush, Envelope, PeerTransport } from '../../../sync/api.ts'
import type { PeerEntry } from '../../api.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import type { AcceptAcknowledgement } from '../acknowledgements/accept.ts'
import { type Asking, PeerRefusal } from '../asking/ask-peer.ts'
import { paths } from '../routes.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { isHash, MAX_IDS, readAck } from '../wire/bodies.ts'

/** What a delivery needs. */
export interface DeliverParts {
  readonly registry: Pick<PeerRegistry, 'entry'>
  readonly asking: Asking
  readonly boards: Boards
  readonly statistics: PeerStatistics
  readonly accept: AcceptAcknowledgement
  readonly faults: Pick<Faults, 'refused'>
  /** The trace that a push was made in. */
  readonly traceOf: (pushId: string) => TraceContext | undefined
  readonly maxBodyBytes: number
}

interface Need {
  readonly heads: readonly string[]
  readonly content: readonly string[]
}

/** What a body has beside its commands. */
const HEAD_BYTES = 4_096
/** Rounds of commands before the peer is taken to be one that never has enough. */
const MAX_ROUNDS = 2
const MAX_CONTENT = 1_000
/** Stands for the answer to commands of a push that has its final acknowledgement. */
const FINISHED = Symbol('finished')

/** Creates the deliveries of a node. Each resolves once the final acknowledgement is written, and rejects with the reason otherwise. */
export function createDeliver(parts: DeliverParts): PeerTransport['deliver'] {
  const { registry, asking, boards, statistics, accept, maxBodyBytes } = parts

  /** Writes the acknowledgement of the peer; returns true if it is final. */
  const writeAck = async (value: unknown, peer: string, about?: DeliveredPush): Promise<boolean> => {
    const ack = readAck(value)
    if (ack === undefined) throw bad('The answer of the peer has no acknowledgement of the push.')
    await accept(ack, peer, about)
    return ack.state !== 'received'
  }

  /** Sends the commands that a peer needs, page by page. `over` is true once the peer has sent its final acknowledgement. */
  const giveCommands = async (
    entry: PeerEntry,
    { domain, pushId }: Envelope,
    have: readonly string[],
    pinned: readonly string[],
  ): Promise<{ readonly given: number; readonly over: boolean }> => {
    const project = projectOf(domain)
    let after: string | undefined
    for (let given = 0; ; ) {
      const from: string | undefined = after
      const page = await boards.read((reads) => reads.missing(project, have, maxBodyBytes - HEAD_BYTES, from, pinned))
      if (page.commands.length === 0) return { given, over: false }
      const commands = page.commands.map(({ envelope }) => envelope)
      const question = {
        method: 'POST',
        path: paths.commands,
        body: { project, pushId, commands },
        trace: parts.traceOf(pushId),
      } as const
      const answer = await asking.ask(entry, question).catch((error: unknown) => {
        // The push was finished by another connection: the push is sent again to read its acknowledgement.
        if (error instanceof PeerRefusal && error.code === 'push_finished') return FINISHED
        throw error
      })
      given += commands.length
      if (answer === FINISHED) return { given, over: false }
      after = page.commands.at(-1)!.id
      const { ack } = isObject(answer) ? answer : { ack: null }
      if (ack != null && (await writeAck(ack, entry.endpointId))) return { given, over: true }
      if (!page.more) return { given, over: false }
    }
  }

  /** Hands over the texts that a peer needs; gives how many are not here. */
  const giveContent = async (
    entry: PeerEntry,
    { domain, pushId }: Envelope,
    hashes: readonly string[],
  ): Promise<number> => {
    const project = projectOf(domain)
    const trace = parts.traceOf(pushId)
    let lacking = 0
    for (const hash of hashes) {
      const body = await boards.read((reads) => reads.contentFor(project, hash, entry.endpointId))
      if (body === undefined) lacking++
      else await asking.ask(entry, { method: 'PUT', path: `${paths.project(project)}/content/${hash}`, body, trace })
    }
    return lacking
  }

  const deliver = async (envelope: Envelope, endpointId: string, about: DeliveredPush): Promise<undefined> => {
    const entry = await registry.entry(endpointId)
    const project = projectOf(envelope.domain)
    if (entry === undefined)
      throw new PeerRefusal(
        'peer_unknown',
        `No entry for this target: svc peer add ${endpointId} --address host:port --project ${project}`,
      )
    if (!entry.projects.includes(project))
      throw new PeerRefusal(
        'scope_not_found',
        `The entry of this peer does not name the project: svc peer add ${endpointId}${toOptions([...entry.projects, project])}`,
      )
    const { frontier } = about
    const pinned = frontier?.heads ?? []
    const push = { ...(JSON.parse(envelope.signedText) as object), signature: envelope.signature }
    const room = maxBodyBytes - HEAD_BYTES - JSON.stringify(push).length
    const believed = statistics.of(endpointId).heads.get(project)
    let commands = pinned.length > 0 && believed !== undefined ? await fitting(project, believed, pinned, room) : []
    const trace = parts.traceOf(envelope.pushId)
    const texts = new Set<string>()
    let rounds = 0
    for (;;) {
      const body = { push, frontier, commands }
      const answer = await asking.ask(entry, { method: 'POST', path: paths.pushes, body, trace })
      if (!isObject(answer)) throw bad('The answer of the peer is no object.')
      if (await writeAck(answer['ack'], endpointId, about)) return undefined
      const need = readNeed(answer['need'])
      commands = []
      const { given, over } = await giveCommands(entry, envelope, need.heads, pinned)
      if (over) return undefined
      const lacking = await giveContent(entry, envelope, need.content)
      if (lacking > 0) throw new PeerRefusal('content_missing', `${lacking} texts that the peer needs are not here.`)
      // What was given is asked for no more; whoever still needs it never has enough. Texts come in many rounds, each once.
      const before = texts.size
      for (const hash of need.content) texts.add(hash)
      rounds = texts.size > before ? 0 : rounds + 1
      if (texts.size < before + need.content.length || rounds > MAX_ROUNDS || given + need.content.length === 0)
        throw bad('The peer asks again for what it was given.')
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

  /** The commands that the peer is thought to lack, as far as they fit. */
  async function fitting(
    project: string,
    believed: readonly string[],
    pinned: readonly string[],
    room: number,
  ): Promise<readonly unknown[]> {
    const { commands } = await boards.read((reads) => reads.missing(project, believed, room, undefined, pinned))
    const found = commands.map(({ envelope }) => envelope)
    // The first is given whatever its size; a push that leaves no room for it goes alone.
    return JSON.stringify(found).length <= room ? found : []
  }
}

function readNeed(value: unknown): Need {
  if (!isObject(value) || !isObject(value['have'])) throw bad('The peer neither has enough nor says what it needs.')
  const { heads } = value['have']
  const { content } = value
  if (!isHashes(heads, MAX_IDS) || !isHashes(content, MAX_CONTENT))
    throw bad('What the peer needs is not of the right form.')
  return { heads, content }
}

function isHashes(value: unknown, most: number): value is readonly string[] {
  return Array.isArray(value) && value.length <= most && value.every(isHash)
}

function bad(message: string): PeerRefusal {
  return new PeerRefusal('bad_answer', message)
}

function projectOf(domain: string): string {
  return domain.slice(domain.indexOf(':') + 1)
}

/** The options that name projects; beyond eight of them the command would be too long for a message. */
function toOptions(projects: readonly string[]): string {
  return projects.length > 8 ? ' --project <project> …' : projects.map((one) => ` --project ${one}`).join('')
}
