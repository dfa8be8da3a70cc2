/** The canonical form (RFC 8785) of a request and its hash. */
import canonicalize from 'canonicalize'
import type { Sha256 } from '../api.ts'
import { fail } from '../errors.ts'

const encoder = new TextEncoder()

/** A canonical text, its UTF-8 bytes and their SHA-256 in lower-case hex. */
export interface CanonicalForm {
  readonly text: string
  readonly bytes: Uint8Array
  readonly hash: string
}

/** The canonical form of a value that was admitted. Throws `canonicalization_failed` where there is none. */
export function toCanonical(value: unknown, sha256: Sha256): CanonicalForm {
  const text = canonicalText(value)
  const bytes = encoder.encode(text)
  return { text, bytes, hash: sha256(bytes) }
}

/** The canonical text alone. */
export function canonicalText(value: unknown): string {
  try {
    const text = canonicalize(value)
    if (text !== undefined) return text
  } catch (cause) {
    throw fail('canonicalization_failed', { cause })
  }
  throw fail('canonicalization_failed')
}

/** What a push signature covers: every member but `signature`. */
export function withoutSignature(request: object): object {
  const { signature: _, ...signed } = request as { signature?: unknown }
  return signed
}
