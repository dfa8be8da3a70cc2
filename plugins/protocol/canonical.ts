/** The canonical form (RFC 8785) of a request and its hash. */
import canonicalize from 'canonicalize'
import { failForm } from './errors.ts'

const encoder = new TextEncoder()

/** A canonical text, its UTF-8 bytes and their SHA-256 in lower-case hex. */
export interface CanonicalForm {
  readonly text: string
  readonly bytes: Uint8Array
  readonly hash: string
}

/** Returns the canonical form of a value that was admitted. Throws `canonicalization_failed` if the value has none. */
export function toCanonical(value: unknown, sha256: (bytes: Uint8Array) => string): CanonicalForm {
  const text = canonicalText(value)
  const bytes = encoder.encode(text)
  return { text, bytes, hash: sha256(bytes) }
}

/**
 * Returns the canonical text alone. Throws `canonicalization_failed` if the value has none, for instance a lone
 * surrogate.
 */
export function canonicalText(value: unknown): string {
  try {
    const text = canonicalize(value)
    if (text !== undefined) return text
  } catch (cause) {
    throw failForm('canonicalization_failed', { cause })
  }
  throw failForm('canonicalization_failed')
}

/** Returns the members of a request that its signature covers: all except `signature`. */
export function withoutSignature(request: object): object {
  const { signature: _, ...signed } = request as { signature?: unknown }
  return signed
}
