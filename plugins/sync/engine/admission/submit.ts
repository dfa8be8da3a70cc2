/**
 * Admits a signed push. The order of its checks is the same on every platform, so that a request with several faults gets the
 * same error everywhere:
 *
 *  1. method and path: 404, 405
 *  2. content type: 415
 *  3. size of the body: 413
 *  4. JSON admission (json-admission.ts): 400
 *  5. schema version (push-request.ts): 400
 *  6. shape (push-request.ts): 400
 *  7. canonical form and its hash
 *  8. the signer is enrolled: 403
 *  9. the signature: 401
 * 10. the signer is neither revoked nor expired: 403
 * 11. idempotency: 200 for the same hash, 409 for another
 * 12. the domain: 403, 404
 * 13. the signer's scope: 403
 * 14. no frontier for a family that takes none: 422
 * 15. the time window: 422
 * 16. the targets (endpoint-admission.ts): 422
 * 17. a transport for the targets (`requireCarrier`): 503
 * 18. the transaction (../execution/execute.ts): frontier 409, preparation 503, then 201
 *
 * The routes of the API make checks 1 and 2; this file makes the others.
 */
import { isSvcError } from '../../../../core/errors.ts'
import { createTurns } from '../../../../core/http/body/turns.ts'
import { toCanonical, withoutSignature } from '../../../protocol/canonical.ts'
import { fromFuture, stale } from '../../../protocol/clocks.ts'
import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'
import type { PushRequest, SigningDevice } from '../../api.ts'
import { fail } from '../../errors.ts'
import { isInScope } from '../devices/domains.ts'
import type { EngineOptions } from '../options.ts'
import type { StoredPush } from '../store/api.ts'
import type { Execute, Submission } from './admitted.ts'
import { createEndpointAdmission } from './endpoint-admission.ts'
import { admitJson } from './json-admission.ts'
import { readPushRequest } from './push-request.ts'
import { createReplays, keepAnswer, type Proof } from './replay.ts'

declare const __SYNC_API__: boolean

/**
 * What a push goes through: the body is read and made canonical, its signature verified, its signer and what it asks for
 * checked, and it is committed. An exact replay ends after the second.
 */
export type PushStage = 'admit' | 'verify' | 'authorise' | 'commit'

/** Takes the bytes of a signed push request. Rejects with the error that the order of checks meets first. */
export type Submit = (bytes: Uint8Array, onStage?: (stage: PushStage) => void) => Promise<Submission>

/** Makes the entry point of an engine for signed pushes. */
export function createSubmit(options: EngineOptions, execute: Execute): Submit {
  const { store, authority, domains, sha256, ed25519, now, limits } = options
  const endpoints = createEndpointAdmission({ maxTargets: limits.maxTargets, yieldLoop: options.yieldLoop })

  const askAuthority = async (keyId: string): Promise<SigningDevice> => {
    let device: SigningDevice | undefined
    try {
      device = await authority.device(keyId)
    } catch (cause) {
      throw fail('authority_unavailable', { cause })
    }
    if (device === undefined) throw fail('signer_unknown')
    return device
  }

  const turn = createTurns(options.yieldLoop)
  const replays = createReplays(store)
  /** The answer to a body that was proven before; undefined where its push is not in the store. */
  const replay = async (proof: Proof): Promise<Submission | undefined> => {
    const device = await askAuthority(proof.keyId)
    const known = await settle(replays.find(proof))
    requireActive(device, now())
    if ('error' in known) throw known.error
    return known.value === undefined || isOpen(known.value) ? undefined : keepAnswer(proof, known.value.replay())
  }

  return async (bytes, onStage) => {
    onStage?.('admit')
    if (bytes.length > limits.maxBodyBytes) throw fail('payload_too_large')
    const digest = sha256(bytes)
    const earlier = replays.proofOf(digest)
    const replayed = earlier === undefined ? undefined : await replay(earlier)
    if (replayed !== undefined) return replayed
    const turnCame = turn(bytes.length)
    if (turnCame !== undefined) await turnCame
    const value = admitJson(bytes, limits.maxJsonDepth)
    const { request, pushId, publicKey, signature } = readPushRequest(value, limits.maxFrontierHeads)
    const form = toCanonical(withoutSignature(request), sha256)
    onStage?.('verify')
    const device = await askAuthority(request.signerKeyId)

    // An earlier push with the same hash, key and signature is proof enough. A store that cannot be read is told later:
    // who may not push at all hears that first.
    const identified = { pushId, canonicalPayloadHash: form.hash }
    const known = await settle(replays.find(identified))
    const signatureText = request.signature.padEnd(Math.ceil(request.signature.length / 4) * 4, '=')
    const proven = 'value' in known && isProvenBy(known.value?.push, request, form.hash, signatureText)
    if (!proven && !(await ed25519.verify(signature, form.bytes, publicKey))) throw fail('signature_invalid')
    requireActive(device, now())
    if ('error' in known) throw known.error
    const proof = replays.remember(digest, { ...identified, keyId: request.signerKeyId })
    if (known.value !== undefined) {
      const answer = known.value.replay()
      if (!isOpen(known.value)) return keepAnswer(proof, answer)
    }

    onStage?.('authorise')
    const { family, project } = await domains.find(request.domain)
    const requireScope = ({ scopes }: SigningDevice): void => {
      if (!isInScope(scopes, family.name, project)) throw fail('signer_not_in_scope')
    }
    // What was decided once is not judged again: only its end is still to be written.
    if (known.value === undefined) {
      requireScope(device)
      if (request.expectedFrontier !== null && !family.takesFrontier) throw fail('frontier_not_supported')
      const { windowPastMs, windowFutureMs } = limits
      const { issuedAtMs } = request
      const nowMs = now()
      if (issuedAtMs < nowMs - windowPastMs) throw fail('request_stale', stale(issuedAtMs, nowMs, windowPastMs))
      if (issuedAtMs > nowMs + windowFutureMs)
        throw fail('request_from_future', fromFuture(issuedAtMs, nowMs, windowFutureMs))
      if (request.targetEndpointIds.length > 0) {
        await endpoints.admit(request.targetEndpointIds)
        requireCarrier(options, request.targetEndpointIds)
        // The target check may have let seconds pass.
        requireActive(await askAuthority(request.signerKeyId), now())
      }
    }

    onStage?.('commit')
    const submission = await execute({
      envelope: {
        schemaVersion: PUSH_SCHEMA_VERSION,
        ...identified,
        domain: request.domain,
        signedText: form.text,
        signerKeyId: request.signerKeyId,
        signature: signatureText,
      },
      family,
      project,
      targets: request.targetEndpointIds,
      expectedFrontier: request.expectedFrontier,
      authorise(ledger) {
        if (authority.deviceIn === undefined) return
        const signer = authority.deviceIn(ledger, request.signerKeyId)
        if (signer === undefined) throw fail('signer_unknown')
        requireActive(signer, now())
        requireScope(signer)
      },
    })
    return keepAnswer(proof, submission)
  }
}

/** Check 17, and that a push does not name this node among its targets. */
export function requireCarrier({ transport, ownId }: EngineOptions, targets: readonly string[]): void {
  if (targets.length === 0) return
  // Embedded hosts have no endpoint of their own: their library is without this.
  if ((typeof __SYNC_API__ === 'undefined' || __SYNC_API__) && ownId !== undefined && targets.includes(ownId()))
    throw fail('target_invalid', { message: 'This node is among the targets.' })
  if (transport === undefined) throw fail('transport_unavailable', { headers: { 'retry-after': '60' } })
}

/** Whether a push was decided and has not been seen applied: it is executed to its end, not answered. */
function isOpen({ push }: { readonly push: StoredPush }): boolean {
  return push.localState === 'prepared'
}

function isProvenBy(known: StoredPush | undefined, request: PushRequest, hash: string, signature: string): boolean {
  return known?.hash === hash && known.signerKeyId === request.signerKeyId && known.signature === signature
}

function requireActive(device: SigningDevice, nowMs: number): void {
  if (device.status !== 'active' || (device.expiresAtMs !== null && nowMs >= device.expiresAtMs))
    throw fail('signer_revoked')
}

/** A refusal of the store as a value, to be thrown when its turn comes. */
async function settle<T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { error }
  }
}
