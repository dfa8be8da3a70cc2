/** DSSE: a signed envelope for a statement, with Ed25519 (https://github.com/secure-systems-lab/dsse, version 1). */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { toolFail } from '../errors.ts'

/** Payload type of an in-toto statement. */
const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

/** A DSSE envelope. */
export interface Envelope {
  readonly payloadType: string
  /** Base64 of the statement. */
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** Signs a statement. */
export function seal(statement: unknown, key: KeyObject): Envelope {
  const body = Buffer.from(JSON.stringify(statement))
  const sig = sign(null, encode(PAYLOAD_TYPE, body), key).toString('base64')
  const keyid = keyIdOf(createPublicKey(key as never))
  return { payloadType: PAYLOAD_TYPE, payload: body.toString('base64'), signatures: [{ keyid, sig }] }
}

/**
 * Returns the statement of an envelope after verifying its signature.
 * @throws SvcError `ERR_TOOL_VERIFY` if the key did not sign the envelope, or the envelope is invalid
 */
export function open(envelope: unknown, key: KeyObject): unknown {
  const { payloadType, payload, signatures } = toEnvelope(envelope)
  const body = Buffer.from(payload, 'base64')
  // The payload must be canonical base64, so that the verified bytes have only one encoding.
  if (body.toString('base64') !== payload) throw fail('Its payload is no base64.')
  const signed = encode(payloadType, body)
  if (!signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64')))) {
    const ids = signatures.map(({ keyid }) => keyid).join(', ') || 'nobody'
    throw fail(`It is not signed by the key ${keyIdOf(key)}; it names ${ids}.`)
  }
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch (cause) {
    throw fail('Its payload is no JSON.', cause)
  }
}

/** Id of a public key: the SHA-256 of its SPKI encoding. */
export function keyIdOf(key: KeyObject): string {
  return `sha256:${createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')}`
}

/** The signed bytes: the pre-authentication encoding of DSSE. */
export function encode(type: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body])
}

function toEnvelope(value: unknown): Envelope {
  const { payloadType, payload, signatures } = (value ?? {}) as Partial<Record<keyof Envelope, unknown>>
  if (payloadType !== PAYLOAD_TYPE) throw fail(`Its payload is not ${PAYLOAD_TYPE}.`)
  const listed = Array.isArray(signatures) ? (signatures as unknown[]).slice(0, 16) : []
  const rows = listed.map((one) => (one ?? {}) as Partial<Record<'keyid' | 'sig', unknown>>)
  if (typeof payload !== 'string' || rows.some(({ sig }) => typeof sig !== 'string')) throw fail('It is no envelope.')
  return {
    payloadType,
    payload,
    signatures: rows.map(({ keyid, sig }) => ({ keyid: String(keyid), sig: String(sig) })),
  }
}

function fail(message: string, cause?: unknown): Error {
  return toolFail('ERR_TOOL_VERIFY', { message: `The signature does not hold. ${message}`, cause })
}
