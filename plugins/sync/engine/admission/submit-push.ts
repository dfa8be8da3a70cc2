/**
 * Admits signed pushes. The order of the checks is the same on every platform, so that a request with several faults
 * gets the same error everywhere:
 *
 *  1. method and path: 404, 405
 *  2. content type: 415
 *  3. size of the body: 413
 *  4. JSON admission (json-admission.ts): 400
 *  5. schema version (push-request.ts): 400
 *  6. shape (push-request.ts): 400
 *  7. canonical form and its hash (signed-push.ts)
 *  8. the signer is enrolled: 403, or 503 if the devices cannot be read
 *  9. the signature: 401
 * 10. the signer is neither revoked nor expired: 403
 * 11. idempotency: 200 for the same hash, 409 for another
 * 12. the domain: 403, 404
 * 13. the signer's scope: 403
 * 14. no frontier for a family that takes none: 422
 * 15. the time window: 422
 * 16. the targets (endpoint-admission.ts): 422
 * 17. this node is not among the targets: 422; a transport for them (`requireCarrier`): 503; check 10 again, as check
 *     16 may take seconds
 * 18. the transaction (../execution/execute.ts): checks 8, 10 and 13 again, frontier 409, preparation 503, then 201
 *
 * A push whose execution was interrupted is executed to its end: checks 12 and 18 alone follow check 11.
 *
 * The routes of the API make checks 1 and 2, and check 3 for a body with a declared length; this file makes the others.
 * The order for a push that another node sends is in plugins/peer/core/receiving/receive-push.ts.
 */
import { isSvcError } from '../../../../core/declare/errors.ts'
import { createTurns } from '../../../../core/http/turns.ts'
import { sizeFault } from '../../../../core/kernel/values.ts'
import { fromFuture, stale } from '../../../protocol/clocks.ts'
import { allows } from '../../../protocol/scopes.ts'
import type { Authority, DomainFamily, SigningDevice } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { EngineOptions } from '../options.ts'
import type { StoredPush } from '../store/api.ts'
import type { Execute, PushCaller, Submission } from './admitted.ts'
import { createEndpointAdmission } from './endpoint-admission.ts'
import { createReplays, keepAnswer, type Replays, type VerifiedPush } from './replay.ts'
import { isProvenBy, readSignedPush, toEnvelope } from './signed-push.ts'

declare const __SYNC_API__: boolean

/**
 * A stage of a push: its body is read and made canonical, its signature is verified, its signer and its request are
 * checked, and it is committed. An exact replay of a body that was verified before ends in the first stage, any other
 * replay in the second.
 */
export type PushStage = 'admit' | 'verify' | 'authorise' | 'commit'

/**
 * Submits the bytes of a signed push request. Rejects with the error of the first check that fails, or with what
 * `onStage` throws: a limit on signatures is checked before the one of this push is verified.
 */
export type Submit = (
  bytes: Uint8Array,
  onStage?: (stage: PushStage) => void,
  caller?: PushCaller,
) => Promise<Submission>

/** Creates the entry point of an engine for signed pushes. */
export function createSubmit(options: EngineOptions, execute: Execute): Submit {
  const { store, authority, domains, sha256, ed25519, now, limits } = options
  const endpoints = createEndpointAdmission({ maxTargets: limits.maxTargets, yieldLoop: options.yieldLoop })
  const turn = createTurns(options.yieldLoop)
  const replays = createReplays(store)

  return async (bytes, onStage, caller) => {
    onStage?.('admit')
    if (bytes.length > limits.maxBodyBytes)
      throw fail('payload_too_large', { message: sizeFault('A push', limits.maxBodyBytes, bytes.length) })
    const digest = sha256(bytes)
    const earlier = replays.proofOf(digest)
    const replayed = earlier === undefined ? undefined : await replay(options, replays, earlier)
    if (replayed !== undefined) return replayed
    const turnCame = turn(bytes.length)
    if (turnCame !== undefined) await turnCame
    const push = readSignedPush(bytes, options)
    const { request, form } = push

    onStage?.('verify')
    const device = await findSigner(authority, request.signerKeyId)
    // An error of the store is thrown only after the signer was checked, because a refusal of the signer has
    // precedence.
    const identified = { pushId: push.pushId, canonicalPayloadHash: form.hash }
    const lookup = await asValue(replays.find(identified))
    const proven = 'value' in lookup && isProvenBy(lookup.value?.push, push)
    if (!proven && !(await ed25519.verify(push.signature, form.bytes, push.publicKey))) throw fail('signature_invalid')
    requireActive(device, now())
    if ('error' in lookup) throw lookup.error
    const proof = replays.remember(digest, { ...identified, keyId: request.signerKeyId })
    if (lookup.value !== undefined) {
      const answer = lookup.value.replay()
      if (!isOpen(lookup.value)) return keepAnswer(proof, answer)
    }

    onStage?.('authorise')
    const { family, project } = await domains.find(request.domain)
    // A push that was prepared before is not checked again: it only has to be executed to its end.
    if (lookup.value === undefined) {
      requireScope(device, family, project)
      if (request.expectedFrontier !== null && !family.takesFrontier) throw fail('frontier_not_supported')
      requireTimely(request.issuedAtMs, now(), limits)
      if (request.targetEndpointIds.length > 0) {
        await endpoints.admit(request.targetEndpointIds)
        requireCarrier(options, request.targetEndpointIds)
        // The check of the targets may take seconds, in which the signer may have been revoked.
        requireActive(await findSigner(authority, request.signerKeyId), now())
      }
    }

    onStage?.('commit')
    const submission = await execute({
      envelope: toEnvelope(push),
      family,
      project,
      targets: request.targetEndpointIds,
      expectedFrontier: request.expectedFrontier,
      caller,
      authorise(ledger) {
        if (authority.deviceIn === undefined) return
        const signer = authority.deviceIn(ledger, request.signerKeyId)
        if (signer === undefined) throw fail('signer_unknown')
        requireActive(signer, now())
        requireScope(signer, family, project)
      },
    })
    return keepAnswer(proof, submission)
  }
}

/**
 * The answer to a body whose signature was verified before; undefined if its push is not in the store, or is still to
 * be executed.
 */
async function replay(
  { authority, now }: Pick<EngineOptions, 'authority' | 'now'>,
  replays: Replays,
  proof: VerifiedPush,
): Promise<Submission | undefined> {
  const device = await findSigner(authority, proof.keyId)
  const lookup = await asValue(replays.find(proof))
  requireActive(device, now())
  if ('error' in lookup) throw lookup.error
  return lookup.value === undefined || isOpen(lookup.value) ? undefined : keepAnswer(proof, lookup.value.replay())
}

/** Check 15: throws `request_stale` or `request_from_future`. */
function requireTimely(
  issuedAtMs: number,
  nowMs: number,
  { windowPastMs, windowFutureMs }: EngineOptions['limits'],
): void {
  if (issuedAtMs < nowMs - windowPastMs) throw fail('request_stale', stale(issuedAtMs, nowMs, windowPastMs))
  if (issuedAtMs > nowMs + windowFutureMs)
    throw fail('request_from_future', fromFuture(issuedAtMs, nowMs, windowFutureMs))
}

/** Check 17. Throws `target_invalid` if this node is among the targets, and `transport_unavailable`. */
export function requireCarrier({ transport, ownId }: EngineOptions, targets: readonly string[]): void {
  if (targets.length === 0) return
  // Embedded hosts have no endpoint of their own, so that their library leaves this out.
  if ((typeof __SYNC_API__ === 'undefined' || __SYNC_API__) && ownId !== undefined && targets.includes(ownId()))
    throw fail('target_invalid', { message: 'This node is among the targets.' })
  if (transport === undefined) throw fail('transport_unavailable', { headers: { 'retry-after': '60' } })
}

/**
 * Whether a push is prepared but not known to be applied. It is executed to its end, instead of answered from the
 * store.
 */
function isOpen({ push }: { readonly push: StoredPush }): boolean {
  return push.localState === 'prepared'
}

/** Returns the error of a refusal as a value, so that it can be thrown later. */
async function asValue<T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { error }
  }
}

/** The device of a key. Rejects with `authority_unavailable` or `signer_unknown`. */
async function findSigner(authority: Authority, keyId: string): Promise<SigningDevice> {
  let device: SigningDevice | undefined
  try {
    device = await authority.device(keyId)
  } catch (cause) {
    throw fail('authority_unavailable', { cause })
  }
  if (device === undefined) throw fail('signer_unknown')
  return device
}

/** Throws `signer_revoked` for a device that is revoked or expired. */
function requireActive({ status, expiresAtMs }: SigningDevice, nowMs: number): void {
  if (status !== 'active' || (expiresAtMs !== null && nowMs >= expiresAtMs)) throw fail('signer_revoked')
}

/** Throws `signer_not_in_scope` if no scope of a device covers a project. */
function requireScope({ scopes }: SigningDevice, family: DomainFamily, project: string): void {
  if (!allows(scopes, family.name, project, 'push')) throw fail('signer_not_in_scope')
}
