/** The order of checks 3 to 18: what a request hears first is the same on every platform. */
import { isSvcError } from '../../../core/errors.ts'
import type { PushRequest, ReceiptEvent, SigningDevice } from '../api.ts'
import { fail } from '../errors.ts'
import { toCanonical, withoutSignature } from './canonical.ts'
import { toBase64, toHex } from './codecs.ts'
import { isInScope } from './domains.ts'
import { createEndpointAdmission } from './endpoint-admission.ts'
import { asReplay, type Execute, type Submission } from './execute.ts'
import { admitJson } from './json-admission.ts'
import type { EngineOptions } from './options.ts'
import { readPushRequest } from './push-request.ts'
import { SCHEMA_VERSION } from './schemas.ts'
import type { LedgerReads, StoredPush } from './store/api.ts'

/**
 * What a push goes through: the body is read and made canonical, its signature verified, its signer and what it asks for
 * checked, and it is committed. An exact replay ends after the second.
 */
export type PushStage = 'admit' | 'verify' | 'authorise' | 'commit'

/** Remembered proofs; at some 700 bytes each about 7 MB. The oldest go first. */
const MAX_PROOFS = 10_000
/** Events that a proof remembers at most: those of a push without peers. */
const MAX_KEPT_EVENTS = 3

/** What a body was found to be, once its signature had been verified. */
interface Proof {
  readonly pushId: string
  readonly canonicalPayloadHash: string
  readonly keyId: string
  /** The events of the last answer, or none. What was appended stays as it is, so they hold until one is added. */
  events: readonly ReceiptEvent[]
}

/** Takes the bytes of a signed push request. Rejects with the error that the order of checks meets first. */
export type Submit = (bytes: Uint8Array, onStage?: (stage: PushStage) => void) => Promise<Submission>

/** Makes the signed door of an engine. */
export function createSubmit(options: EngineOptions, execute: Execute): Submit {
  const { store, authority, domains, sha256, ed25519, now, limits, transport } = options
  const endpoints = createEndpointAdmission({ maxTargets: limits.maxTargets, yieldLoop: options.yieldLoop })

  const askAuthority = async (keyId: string): Promise<SigningDevice> => {
    let device: SigningDevice | undefined
    try {
      device = await authority.device(keyId)
    } catch (cause) {
      throw fail('authority_unavailable', { cause, headers: { 'retry-after': '1' } })
    }
    if (device === undefined) throw fail('signer_unknown')
    return device
  }

  /** What bodies that were proven stand for, by their hash: the same bytes need not be read and proven again. */
  const proofs = new Map<string, Proof>()
  const remember = (digest: string, proof: Proof): void => {
    if (proofs.size >= MAX_PROOFS) proofs.delete(proofs.keys().next().value!)
    proofs.set(digest, proof)
  }

  const told = (proof: Proof, submission: Submission): Submission => {
    const { events } = submission.receipt
    if (events.length <= MAX_KEPT_EVENTS) proof.events = events
    return submission
  }

  /** The answer to a body that was proven before; undefined where its push is not in the store. */
  const replay = async (proof: Proof): Promise<Submission | undefined> => {
    const device = await askAuthority(proof.keyId)
    const known = await settle(store.read((ledger) => readKnown(ledger, proof)))
    requireActive(device, now())
    if ('error' in known) throw known.error
    return known.value === undefined || isOpen(known.value) ? undefined : told(proof, known.value.replay())
  }

  return async (bytes, onStage) => {
    onStage?.('admit')
    if (bytes.length > limits.maxBodyBytes) throw fail('payload_too_large')
    const digest = toHex(sha256(bytes))
    const earlier = proofs.get(digest)
    const replayed = earlier === undefined ? undefined : await replay(earlier)
    if (replayed !== undefined) return replayed
    const value = admitJson(bytes, limits.maxJsonDepth)
    const { request, pushId, publicKey, signature } = readPushRequest(value, limits.maxFrontierHeads)
    const form = toCanonical(withoutSignature(request), sha256)
    onStage?.('verify')
    const device = await askAuthority(request.signerKeyId)

    // An earlier push with the same hash, key and signature is proof enough. A store that cannot be read is told later:
    // who may not push at all hears that first.
    const identified = { pushId, canonicalPayloadHash: form.hash }
    const known = await settle(store.read((ledger) => readKnown(ledger, identified)))
    const signatureText = toBase64(signature)
    const proven = 'value' in known && isProvenBy(known.value?.push, request, form.hash, signatureText)
    if (!proven && !(await ed25519.verify(signature, form.bytes, publicKey)))
      throw fail('signature_invalid', { headers: { 'www-authenticate': 'Signature realm="svc"' } })
    requireActive(device, now())
    if ('error' in known) throw known.error
    const proof: Proof = { ...identified, keyId: request.signerKeyId, events: [] }
    remember(digest, proof)

    if (known.value !== undefined) {
      const answer = known.value.replay()
      if (!isOpen(known.value)) return told(proof, answer)
    }

    onStage?.('authorise')
    const { family, project } = await domains.find(request.domain)
    // What was decided once is not judged again: only its end is still to be written.
    if (known.value === undefined) {
      if (!isInScope(device.scopes, family.name, project)) throw fail('signer_not_in_scope')
      if (request.expectedFrontier !== null && !family.takesFrontier) throw fail('frontier_not_supported')
      if (request.issuedAtMs < now() - limits.windowPastMs) throw fail('request_stale')
      if (request.issuedAtMs > now() + limits.windowFutureMs) throw fail('request_from_future')
      await endpoints.admit(request.targetEndpointIds)
      if (request.targetEndpointIds.length > 0 && transport === undefined)
        throw fail('transport_unavailable', { headers: { 'retry-after': '60' } })
      // The target check may have let seconds pass.
      if (request.targetEndpointIds.length > 0) requireActive(await askAuthority(request.signerKeyId), now())
    }

    onStage?.('commit')
    const submission = await execute({
      envelope: {
        schemaVersion: SCHEMA_VERSION,
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
    })
    return told(proof, submission)
  }
}

/** An earlier push under this id, and the answer that it deserves once the signer has been checked. */
function readKnown(
  ledger: LedgerReads,
  identified: Pick<Proof, 'pushId' | 'canonicalPayloadHash'> & Partial<Proof>,
): { readonly push: StoredPush; readonly replay: () => Submission } | undefined {
  const push = ledger.push(identified.pushId)
  if (push === undefined) return undefined
  if (push.hash !== identified.canonicalPayloadHash) return { push, replay: () => asReplay(ledger, push, identified) }
  const { events = [] } = identified
  const answer = asReplay(events.length === push.lastSequence ? { events: () => events } : ledger, push, identified)
  return { push, replay: () => answer }
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
