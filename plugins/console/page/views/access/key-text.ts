/** Reads the public key of a device from a pasted text: a key id, or the content of a `.pub` file. */
import { fromBase64, toHex } from '../../../../protocol/codecs.ts'
import { fromKeyId, isAdmissibleKey, toKeyId } from '../../../../protocol/keys.ts'

/** A key id, or the problem of the text. */
export type KeyReading = { readonly keyId: string } | { readonly problem: string }

/** The bytes before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
const SPKI_PREFIX = '302a300506032b6570032100'
const PREFIX_BYTES = SPKI_PREFIX.length / 2

/** Reads a key. Returns undefined for an empty text. */
export function readKeyText(text: string): KeyReading | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(trimmed))
    return { problem: 'This is a private key. Do not paste it anywhere; paste the text of its .pub file.' }
  const publicKey = trimmed.startsWith('-----') ? fromPem(trimmed) : fromKeyId(trimmed)
  if (publicKey === undefined)
    return {
      problem: 'This is neither a key id (ed25519: and 64 lower-case hex digits) nor an Ed25519 public key in PEM.',
    }
  if (!isAdmissibleKey(publicKey)) return { problem: 'This is not a public key that can be enrolled.' }
  return { keyId: toKeyId(publicKey) }
}

function fromPem(text: string): Uint8Array | undefined {
  const [, body] = /^-----BEGIN PUBLIC KEY-----\s([\w+/=\s]+)-----END PUBLIC KEY-----$/.exec(text) ?? []
  const bytes = body === undefined ? undefined : fromBase64(body.replace(/\s/g, ''))
  if (bytes?.length !== PREFIX_BYTES + 32 || toHex(bytes.subarray(0, PREFIX_BYTES)) !== SPKI_PREFIX) return undefined
  return bytes.slice(PREFIX_BYTES)
}
