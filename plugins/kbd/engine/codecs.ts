/** Text forms, hashes and signatures as the engine of boards uses them, so that it depends on no platform. */
import type { Awaitable } from '../../../core/kernel/values.ts'

/** Text forms and hashes, the same ones that pushes use. */
export interface Codecs {
  /** In lower-case hex. */
  sha256(bytes: Uint8Array): string
  /** RFC 8785. */
  canonicalText(value: unknown): string
  toBase64(bytes: Uint8Array): string
  /** Decodes standard base64 strictly. Returns undefined for any other text. */
  fromBase64(text: string): Uint8Array | undefined
}

/** The codecs of an entry point for signed bytes. */
export interface EntryCodecs extends Codecs {
  /** Parses strictly; throws `malformed_json` or `canonicalization_failed`. */
  admitJson(bytes: Uint8Array): unknown
  /** The public key of a key id. */
  fromKeyId(keyId: string): Uint8Array | undefined
  /** Whether all implementations of Ed25519 accept the key. */
  isAdmissibleKey(publicKey: Uint8Array): boolean
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Awaitable<boolean>
}

/** The SHA-256 of a value's canonical form, in hex. */
export function hashOf(codecs: Codecs, value: unknown): string {
  return codecs.sha256(new TextEncoder().encode(codecs.canonicalText(value)))
}
