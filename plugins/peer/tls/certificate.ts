/**
 * The certificate of a node: one fixed DER form (X.690) of a self-signed X.509 v3 leaf (RFC 5280) around its Ed25519
 * key (RFC 8410). Only the key is used; the other fields are there because TLS requires them.
 */

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))

/** AlgorithmIdentifier of Ed25519. */
const ED25519 = hex('300506032b6570')
/** The bytes of a SubjectPublicKeyInfo before the Ed25519 key. */
const SPKI_HEAD = hex('302a300506032b6570032100')
/** From 2020-01-01 to the date for "no expiration" (RFC 5280 section 4.1.2.5). */
const VALIDITY = sequence(0x30, utf8(0x17, '200101000000Z'), utf8(0x18, '99991231235959Z'))

/** The certificate of an endpoint id as DER. `sign` signs with the key of that id. */
export function toCertificate(endpointId: string, sign: (message: Uint8Array) => Uint8Array): Uint8Array {
  const name = sequence(0x30, sequence(0x31, sequence(0x30, hex('0603550403'), utf8(0x0c, endpointId))))
  const signed = sequence(
    0x30,
    hex('a003020102'), // version 3
    hex('020101'), // serial number 1
    ED25519,
    name,
    VALIDITY,
    name,
    new Uint8Array([...SPKI_HEAD, ...hex(endpointId)]),
  )
  return sequence(0x30, signed, ED25519, value(0x03, new Uint8Array([0, ...sign(signed)])))
}

/** The endpoint id in a SubjectPublicKeyInfo; undefined for anything but an Ed25519 key. */
export function toEndpointId(spki: Uint8Array): string | undefined {
  if (spki.length !== SPKI_HEAD.length + 32 || SPKI_HEAD.some((byte, i) => spki[i] !== byte)) return undefined
  return Buffer.from(spki.subarray(SPKI_HEAD.length)).toString('hex')
}

/** A certificate as PEM (RFC 7468). */
export function toPem(der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

function sequence(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return value(tag, new Uint8Array(parts.flatMap((part) => [...part])))
}

function utf8(tag: number, text: string): Uint8Array {
  return value(tag, new TextEncoder().encode(text))
}

function value(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return new Uint8Array([tag, ...size, ...content])
}
