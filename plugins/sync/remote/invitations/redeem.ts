/** `POST /api/v2/sync/devices`: enrols the device of the caller by the code of an invitation. */
import { isSvcError } from '../../../../core/declare/errors.ts'
import { json, type Reply } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import { isObject } from '../../../../core/kernel/values.ts'
import { fromBase64 } from '../../../protocol/codecs.ts'
import { invitationText } from '../../../protocol/invitation.ts'
import { fromEndpointId } from '../../../protocol/keys.ts'
import type { RemoteCaller, RemoteCallers, SyncShared } from '../../capabilities.ts'
import { malformed } from '../../engine/admission/push-request.ts'
import { failInvitation } from '../../errors.ts'
import { type Budget, createBudget } from '../budget.ts'
import { type InvitationCode, readCode } from './code.ts'
import type { Invitations } from './invitations.ts'

/** The parts of the handler. */
export interface RedeemParts {
  readonly callers: RemoteCallers
  readonly invitations: Pick<Invitations, 'use'>
  readonly shared: Pick<SyncShared, 'admitJson' | 'isAdmissibleKey' | 'verify'>
  readonly monotonic: () => number
}

/**
 * Refused attempts of one caller in ten minutes: fewer than the wrong secrets that make an invitation void, so that one
 * caller alone makes none void. An acting key has as many with each code, for all its users together.
 */
const MAX_REFUSED = 2
const REFUSED_MS = 600_000

/** What a request asks. Its shape is right; nothing else is checked. */
interface Wish {
  readonly code: InvitationCode
  readonly publicKey: string
  readonly signature: Uint8Array
  readonly text: string
}

/** Creates the handler. */
export function createRedeem({
  callers,
  invitations,
  shared,
  monotonic,
}: RedeemParts): (request: SvcRequest) => Promise<Reply> {
  const refused: Budget = createBudget({
    limit: MAX_REFUSED,
    what: 'attempts with codes',
    windowMs: REFUSED_MS,
    monotonic,
  })
  const ofKeys: Budget = createBudget({
    limit: MAX_REFUSED,
    what: 'attempts with this code',
    windowMs: REFUSED_MS,
    monotonic,
  })
  /** Counts an attempt of a caller. Returns a function that takes it back. */
  const attempt = ({ name, actingKey }: RemoteCaller, { id }: InvitationCode): (() => void) => {
    refused.spend(name, 1)
    // An acting key can name any number of users. It is counted for each code, so that one of its users does not keep
    // the others from theirs.
    const key = actingKey === null ? undefined : `${actingKey} ${id}`
    try {
      if (key !== undefined) ofKeys.spend(key, 1)
    } catch (error) {
      refused.refund(name, 1)
      throw error
    }
    return () => {
      refused.refund(name, 1)
      if (key !== undefined) ofKeys.refund(key, 1)
    }
  }
  const enrol = async (caller: RemoteCaller, { code, publicKey, signature, text }: Wish): Promise<Reply> => {
    const key = fromEndpointId(publicKey)
    if (key === undefined || !shared.isAdmissibleKey(key)) throw failInvitation('invitation_invalid')
    caller.verifying()
    if (!(await shared.verify(signature, new TextEncoder().encode(text), key)))
      throw failInvitation('invitation_invalid')
    const done = await invitations.use({ code, publicKey: key, user: caller.user })
    if (done === undefined) throw failInvitation('invitation_invalid')
    const { keyId, scopes, label, expiresAtMs } = done.device
    return json(done.isNew ? 201 : 200, { keyId, scopes, label, expiresAtMs }, { 'cache-control': 'no-store' })
  }
  return async (request) => {
    const caller = callers.admit(request, null, () => failInvitation('invitation_invalid'))
    caller.sending()
    const wish = readWish(shared.admitJson(await request.body()))
    // Counted before the attempt, so that attempts at once are counted too; what is no refusal of the code is taken
    // back.
    const takeBack = attempt(caller, wish.code)
    try {
      const reply = await enrol(caller, wish)
      takeBack()
      return reply
    } catch (error) {
      if (!isSvcError(error, 'invitation_invalid')) takeBack()
      throw error
    }
  }
}

/** Throws 400 `malformed_request` for a body of another shape. */
function readWish(body: unknown): Wish {
  const {
    code: text,
    publicKey,
    signature: base64,
    ...others
  }: Readonly<Record<string, unknown>> = isObject(body) ? body : {}
  const code = readCode(text)
  if (code === undefined) throw malformed('/code')
  if (typeof publicKey !== 'string' || !/^[0-9a-f]{64}$/.test(publicKey)) throw malformed('/publicKey')
  const signature = typeof base64 === 'string' ? fromBase64(base64) : undefined
  if (signature?.length !== 64) throw malformed('/signature')
  if (Object.keys(others).length > 0) throw malformed('/')
  return { code, publicKey, signature, text: invitationText({ code: text as string, publicKey }) }
}
