/**
 * `POST …/pushes`: a push of another node. The order of its checks:
 *
 * 1. the body: its members, the frontier, the commands, the signed push
 * 2. the domain exists, and the entry of the peer names its project; otherwise both are `scope_not_found`
 * 3. this node is among the targets
 * 4. the push was signed in the last seven days
 * 5. its signer is known here
 * 6. its signature
 *
 * Then it is applied, or waits in the inbox for what it lacks. Whether the signer was revoked or may push the domain is
 * checked when it is applied (`incoming` of the capability `SyncShared`). The order for a push of this node's own
 * callers is in plugins/sync/engine/admission/submit-push.ts.
 */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import { stale } from '../../../protocol/clocks.ts'
import type { PushRequest } from '../../../sync/api.ts'
import type { IncomingPush, SyncShared } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import type { PeerStore } from '../../registry/capabilities.ts'
import type { AcknowledgementSender } from '../acknowledgements/send.ts'
import { proveAll } from '../proving/prove-commands.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { callerOf, members, readFrontier } from '../wire/bodies.ts'
import type { Advance } from './advance.ts'
import { createApplyWhole, MAX_WHOLE } from './apply-whole-push.ts'
import { replyAcknowledgement } from './reply-acknowledgement.ts'
import { commandsOf, type RequestReader } from './request-reader.ts'

/** What receiving pushes needs. */
export interface ReceivePushParts {
  readonly boards: Boards
  readonly peerStore: Pick<PeerStore, 'inbox'>
  readonly shared: SyncShared
  readonly statistics: PeerStatistics
  readonly advance: Advance
  readonly sender: Pick<AcknowledgementSender, 'send' | 'wake'>
  readonly now: () => number
}

/** A push is accepted for seven days after it was signed. */
const MAX_AGE_MS = 7 * 86_400_000

/** Creates the handler. */
export function createReceivePush(parts: ReceivePushParts, read: RequestReader): Handler {
  const { boards, shared, statistics, sender, now } = parts
  const { inbox } = parts.peerStore
  const { incoming } = shared
  const { advance, needOf } = parts.advance
  const applyWhole = createApplyWhole(boards, inbox)

  const requireTarget = ({ targetEndpointIds }: PushRequest): void => {
    if (!targetEndpointIds.includes(shared.ownKey().endpointId))
      throw fail('target_invalid', { message: 'The push is not for this node.', hint: 'svc peer id, here' })
  }
  const requireFresh = ({ issuedAtMs }: PushRequest): void => {
    const nowMs = now()
    if (issuedAtMs < nowMs - MAX_AGE_MS) throw fail('request_stale', stale(issuedAtMs, nowMs, MAX_AGE_MS))
  }

  return async (request) => {
    const body = members(await read.parse(request), 'push', 'frontier', 'commands')
    const frontier = readFrontier(body.frontier, '/frontier')
    const commands = commandsOf(body.commands)
    const incomingPush = incoming.read(body.push)
    const { request: pushRequest, named } = incomingPush
    // Signatures are verified while the domain and the signer are looked up. The result is used only after both checks.
    const isEntered = request.identity.scopes.includes(named)
    const verified = isEntered && incomingPush.verify(commands.length > 0)
    const few = isEntered && commands.length <= MAX_WHOLE ? proveAll(boards, named, commands) : undefined
    const push = await placed(incomingPush.place)
    const { project } = push
    await read.project(request, project)
    requireTarget(pushRequest)
    requireFresh(pushRequest)
    if (!(await incoming.isKnown(pushRequest.signerKeyId))) throw fail('signer_unknown')
    if (!(await verified)) throw fail('signature_invalid')
    const peer = callerOf(request)
    if (frontier !== null) statistics.learn(peer, project, frontier.heads)
    const heads = frontier?.heads ?? null
    const proven = await (few ?? proveAll(boards, project, commands))
    const whole = await applyWhole(push, peer, heads, proven)
    if (whole !== undefined) return replyAcknowledgement(sender, request, project, { ack: whole.ack, need: null })
    // The inbox keeps the heads of the first request with this push. Later requests do not change them.
    const advanced = await advance(push, await inbox.open(push, peer, heads), proven)
    return replyAcknowledgement(sender, request, project, { ack: advanced.inboxed.ack, need: await needOf(advanced) })
  }
}

/** A project that does not exist has the same error as a project that the caller may not see. */
async function placed(place: () => Promise<IncomingPush>): Promise<IncomingPush> {
  try {
    return await place()
  } catch (error) {
    throw isSvcError(error, 'scope_not_found') ? fail('scope_not_found') : error
  }
}
