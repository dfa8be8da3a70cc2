/** What other nodes ask of this one. */

import { isSvcError } from '../../../../core/errors.ts'
import { empty, json, type Reply } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import { stale } from '../../../protocol/clocks.ts'
import type { Acknowledgement } from '../../../sync/api.ts'
import type { SyncShared } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import { FalseAcknowledgement } from '../acknowledgements/accept.ts'
import type { AcknowledgementSender } from '../acknowledgements/send.ts'
import { admitAll, proveAll, type ReadCommand } from '../proving/prove-commands.ts'
import type { peerRoutes } from '../routes.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { isHash, listOf, MAX_IDS, malformed, members, type ReadBody, readAck, readFrontier } from '../wire/bodies.ts'
import type { Advance } from './advance.ts'
import { createAtOnce, MAX_AT_ONCE } from './take-whole-push.ts'

/** What the routes of peers work with. */
export interface ReceiveParts {
  readonly boards: Boards
  readonly peerStore: PeerStore
  readonly shared: SyncShared
  readonly statistics: PeerStatistics
  readonly readBody: ReadBody
  readonly now: () => number
  readonly maxBodyBytes: number
  readonly unnamedContentBytes: number
  readonly advance: Advance
  readonly sender: Pick<AcknowledgementSender, 'send' | 'wake'>
  /** Accepts an acknowledgement of a peer for a push of this node. */
  readonly accept: (ack: Acknowledgement, endpointId: string) => Promise<void>
}

/** An answer that carries an acknowledgement. */
type Answer = Readonly<Record<string, unknown>> & { readonly ack: Acknowledgement }

/** A push is taken for so long after it was signed. */
const MAX_AGE_MS = 7 * 86_400_000
/** Commands of one body: the smallest take some 300 bytes. */
const MAX_COMMANDS = 2_048
const MAX_ACKS = 100
/** Around the commands of an answer. */
const HEAD_BYTES = 8_192

/** The handlers of the surface between peers. */
export function createReceive(parts: ReceiveParts): Readonly<Record<(typeof peerRoutes)[number], Handler>> {
  const { boards, peerStore, shared, statistics, readBody, now, maxBodyBytes } = parts
  const { inbox } = peerStore
  const { incoming } = shared
  const { advance, needOf } = parts.advance
  const atOnce = createAtOnce(boards, inbox)
  const parse = async (request: SvcRequest): Promise<unknown> => shared.admitJson(await readBody(request))
  const peerOf = ({ identity }: SvcRequest): string => identity.user!
  /** Throws where the caller's entry does not name a project: the same as where there is none. */
  const requireProject = async ({ identity }: SvcRequest, project: unknown): Promise<string> => {
    if (typeof project !== 'string' || !identity.scopes.includes(project) || !(await boards.exists(project)))
      throw fail('scope_not_found')
    return project
  }
  /** A final acknowledgement is sent separately if the caller has disconnected. Applied commands may complete other pushes. */
  const answer = (request: SvcRequest, project: string, value: Answer): Reply => {
    const { ack } = value
    if (ack.state !== 'received' && request.signal.aborted) parts.sender.send(peerOf(request), ack)
    if (ack.state === 'applied') parts.sender.wake(project)
    return json(200, value)
  }
  const standing = (project: string) => boards.read((reads) => reads.standing(project))

  return {
    async push(request) {
      const body = members(await parse(request), 'push', 'frontier', 'commands')
      const frontier = readFrontier(body.frontier, '/frontier')
      const commands = listOf(body.commands, '/commands', MAX_COMMANDS)
      const read = incoming.read(body.push)
      const { request: asked, named } = read
      // Signatures are verified while it is looked up who and where that is; nobody hears of them before that is known.
      const isEntered = request.identity.scopes.includes(named)
      const verified = isEntered && read.verify(commands.length > 0)
      const few = isEntered && commands.length <= MAX_AT_ONCE ? proveAll(boards, named, commands) : undefined
      const push = await hidden(read.place)
      const { project } = push
      await requireProject(request, project)
      if (!asked.targetEndpointIds.includes(shared.ownKey().endpointId))
        throw fail('target_invalid', { message: 'The push is not for this node.', hint: 'svc peer id, here' })
      const nowMs = now()
      if (asked.issuedAtMs < nowMs - MAX_AGE_MS) throw fail('request_stale', stale(asked.issuedAtMs, nowMs, MAX_AGE_MS))
      if (!(await incoming.isKnown(asked.signerKeyId))) throw fail('signer_unknown')
      if (!(await verified)) throw fail('signature_invalid')
      const peer = peerOf(request)
      if (frontier !== null) statistics.learn(peer, project, frontier.heads)
      const heads = frontier?.heads ?? null
      const proven = await (few ?? proveAll(boards, project, commands))
      const whole = await atOnce(push, peer, heads, proven)
      if (whole !== undefined) return answer(request, project, { ack: whole.ack, need: null })
      // What was pinned is what was first said, however often it is sent.
      const advanced = await advance(push, await inbox.open(push, peer, heads), proven)
      return answer(request, project, { ack: advanced.inboxed.ack, need: await needOf(advanced) })
    },

    async give(request) {
      const { project: named, pushId, commands: given } = members(await parse(request), 'project', 'pushId', 'commands')
      const commands = listOf(given, '/commands', MAX_COMMANDS)
      if (pushId !== null && typeof pushId !== 'string') throw malformed('/pushId')
      const project = await requireProject(request, named)
      if (pushId === null) {
        const accepted = await takeAlone(project, commands)
        return json(200, { accepted, frontier: (await standing(project)).frontier, ack: null })
      }
      const waiting = await inbox.find(pushId.toLowerCase(), peerOf(request))
      if (waiting === undefined || waiting.project !== project) throw fail('push_not_found')
      const push = waiting.ack.state === 'received' ? await inbox.requestOf(waiting) : undefined
      if (push === undefined) throw fail('push_finished')
      const proven = await proveAll(boards, project, commands)
      const { inboxed, wasFinished } = await advance(push, waiting, proven)
      if (wasFinished) throw fail('push_finished')
      const { ack } = inboxed
      const accepted = ack.state === 'received' ? commands.length : await countKnown(project, proven.commands)
      return answer(request, project, { accepted, frontier: (await standing(project)).frontier, ack })
    },

    async take(request) {
      const project = await requireProject(request, request.params['project'])
      const have = (request.queryParam('have') ?? '').split(',').filter((id) => id !== '')
      const after = request.queryParam('after')
      if (have.length > MAX_IDS || !have.every(isHash)) throw malformed('have')
      if (after !== undefined && !isHash(after)) throw malformed('after')
      const { page, frontier } = await boards.read((reads) => ({
        page: reads.missing(project, have, maxBodyBytes - HEAD_BYTES, after),
        frontier: reads.standing(project).frontier,
      }))
      return json(200, { commands: page.commands.map(({ envelope }) => envelope), frontier, more: page.more })
    },

    async frontier(request) {
      const project = await requireProject(request, request.params['project'])
      const found = await boards.read((reads) => ({ ...reads.standing(project), root: reads.root(project) }))
      const { frontier, headCount, revision, root } = found
      return json(200, { frontier, headCount, revision, root })
    },

    async content(request) {
      const project = await requireProject(request, request.params['project'])
      const hash = readHash(request)
      const body = await boards.read((reads) => reads.contentFor(project, hash, peerOf(request)))
      if (body === undefined) throw fail('content_not_found')
      return { status: 200, headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' }, body }
    },

    async putContent(request) {
      const project = await requireProject(request, request.params['project'])
      const hash = readHash(request)
      const bytes = await readBody(request)
      const peer = { name: peerOf(request), bytes: parts.unnamedContentBytes }
      const isNew = await boards.putContent(hash, bytes, { projects: [project], peer })
      return json(isNew ? 201 : 200, { sha256: hash })
    },

    async acks(request) {
      const { acks } = members(await parse(request), 'acks')
      const read = listOf(acks, '/acks', MAX_ACKS).map((value, i) => {
        const ack = readAck(value)
        if (ack === undefined) throw malformed(`/acks/${i}`)
        return ack
      })
      // A false acknowledgement is recorded in the audit chain and does not fail the others.
      for (const ack of read) await parts.accept(ack, peerOf(request)).catch(ignored)
      return empty(204)
    },
  }

  /** Commands without a push: each stands by itself, and those before a bad one stay. */
  async function takeAlone(project: string, values: readonly unknown[]): Promise<number> {
    const { commands, bad } = await proveAll(boards, project, values)
    const accepted = await admitAll(boards, project, commands)
    if (bad !== undefined) throw bad
    return accepted
  }

  /** How many of the commands, from the first on, are in the project. */
  async function countKnown(project: string, commands: readonly ReadCommand[]): Promise<number> {
    const ids = commands.map(({ id }) => id)
    const known = await boards.read((reads) => reads.known(project, ids))
    const missing = ids.findIndex((id) => !known.has(id))
    return missing === -1 ? ids.length : missing
  }
}

function readHash({ params }: SvcRequest): string {
  const name = params['sha256']
  if (!isHash(name)) throw malformed('sha256')
  return name
}

/** A project that does not exist is as one that the caller may not see. */
async function hidden<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isSvcError(error, 'scope_not_found') ? fail('scope_not_found') : error
  }
}

function ignored(error: unknown): void {
  if (!(error instanceof FalseAcknowledgement)) throw error
}
