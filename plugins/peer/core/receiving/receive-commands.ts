/** `POST …/commands`: commands of another node, for a push or without one. */
import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { Frontier } from '../../../sync/api.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import type { AcknowledgementSender } from '../acknowledgements/send.ts'
import { admitAll, proveAll, type ReadCommand } from '../proving/prove-commands.ts'
import { callerOf, malformed, members } from '../wire/bodies.ts'
import type { Advance } from './advance.ts'
import { replyAcknowledgement } from './reply-acknowledgement.ts'
import { commandsOf, type RequestReader } from './request-reader.ts'

/** What receiving commands needs. */
export interface ReceiveCommandsParts {
  readonly boards: Boards
  readonly peerStore: Pick<PeerStore, 'inbox'>
  readonly advance: Advance
  readonly sender: Pick<AcknowledgementSender, 'send' | 'wake'>
}

/** Creates the handler. */
export function createReceiveCommands(parts: ReceiveCommandsParts, read: RequestReader): Handler {
  const { boards, sender } = parts
  const { inbox } = parts.peerStore
  const { advance } = parts.advance
  const frontierOf = async (project: string): Promise<Frontier> =>
    (await boards.read((reads) => reads.standing(project))).frontier

  /** Admits commands without a push. The commands before a bad one stay. */
  const admitAlone = async (project: string, values: readonly unknown[]): Promise<number> => {
    const { commands, bad } = await proveAll(boards, project, values)
    const accepted = await admitAll(boards, project, commands)
    if (bad !== undefined) throw bad
    return accepted
  }

  /** How many of the commands, from the first on, are in the project. */
  const countKnown = async (project: string, commands: readonly ReadCommand[]): Promise<number> => {
    const ids = commands.map(({ id }) => id)
    const knownIds = await boards.read((reads) => reads.known(project, ids))
    const missing = ids.findIndex((id) => !knownIds.has(id))
    return missing === -1 ? ids.length : missing
  }

  return async (request) => {
    const body = members(await read.parse(request), 'project', 'pushId', 'commands')
    const commands = commandsOf(body.commands)
    const { pushId } = body
    if (pushId !== null && typeof pushId !== 'string') throw malformed('/pushId')
    const project = await read.project(request, body.project)
    if (pushId === null) {
      const accepted = await admitAlone(project, commands)
      return json(200, { accepted, frontier: await frontierOf(project), ack: null })
    }
    const waiting = await inbox.find(pushId.toLowerCase(), callerOf(request))
    if (waiting === undefined || waiting.project !== project) throw fail('push_not_found')
    const push = waiting.ack.state === 'received' ? await inbox.kept(waiting) : undefined
    if (push === undefined) throw fail('push_finished')
    const proven = await proveAll(boards, project, commands)
    const { inboxed, wasFinished } = await advance(push, waiting, proven)
    if (wasFinished) throw fail('push_finished')
    const { ack } = inboxed
    const accepted = ack.state === 'received' ? commands.length : await countKnown(project, proven.commands)
    return replyAcknowledgement(sender, request, project, { accepted, frontier: await frontierOf(project), ack })
  }
}
