/** Checks 4 to 7 of the list in submit-push.ts: reads the body of a signed push. */
import { type CanonicalForm, toCanonical, withoutSignature } from '../../../protocol/canonical.ts'
import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'
import type { Envelope } from '../../api.ts'
import type { EngineOptions } from '../options.ts'
import type { StoredPush } from '../store/api.ts'
import { admitJson } from './json-admission.ts'
import { type ReadPushRequest, readPushRequest } from './push-request.ts'

/** A push of the right form, whose signature is not verified yet. */
export interface SignedPush extends ReadPushRequest {
  /** The canonical form that the signature covers. */
  readonly form: CanonicalForm
  /** The signature in base64 with padding, as the store keeps it. */
  readonly signatureText: string
}

/** Reads the body of a push. Throws the error of the first check that fails. */
export function readSignedPush(
  bytes: Uint8Array,
  { limits, sha256 }: Pick<EngineOptions, 'limits' | 'sha256'>,
): SignedPush {
  const value = admitJson(bytes, limits.maxJsonDepth)
  const { request, pushId, publicKey, signature } = readPushRequest(value, limits.maxFrontierHeads)
  const form = toCanonical(withoutSignature(request), sha256)
  const signatureText = request.signature.padEnd(Math.ceil(request.signature.length / 4) * 4, '=')
  return { request, pushId, publicKey, signature, form, signatureText }
}

/** Whether a stored push has the same hash, key and signature, so that the signature was verified before. */
export function isProvenBy(push: StoredPush | undefined, { request, form, signatureText }: SignedPush): boolean {
  return push?.hash === form.hash && push.signerKeyId === request.signerKeyId && push.signature === signatureText
}

/** The envelope of a push. */
export function toEnvelope({ request, pushId, form, signatureText }: SignedPush): Envelope {
  return {
    schemaVersion: PUSH_SCHEMA_VERSION,
    pushId,
    canonicalPayloadHash: form.hash,
    domain: request.domain,
    signedText: form.text,
    signerKeyId: request.signerKeyId,
    signature: signatureText,
  }
}
