/** The canonical form (RFC 8785) of a request and its hash. */
import { failForm } from './errors.ts'
import { LONE_SURROGATE } from './lone-surrogate.ts'

const encoder = new TextEncoder()

/** A canonical text, its UTF-8 bytes and their SHA-256 in lower-case hex. */
export interface CanonicalForm {
  readonly text: string
  readonly bytes: Uint8Array
  readonly hash: string
}

/** The canonical form of a value that was admitted. Throws `canonicalization_failed` where there is none. */
export function toCanonical(value: unknown, sha256: (bytes: Uint8Array) => string): CanonicalForm {
  const text = canonicalText(value)
  const bytes = encoder.encode(text)
  return { text, bytes, hash: sha256(bytes) }
}

/** The canonical text alone. */
export function canonicalText(value: unknown): string {
  try {
    const text = write(value)
    if (text !== undefined) return text
  } catch (cause) {
    throw failForm('canonicalization_failed', { cause })
  }
  throw failForm('canonicalization_failed')
}

/** What a push signature covers: every member but `signature`. */
export function withoutSignature(request: object): object {
  const { signature: _, ...signed } = request as { signature?: unknown }
  return signed
}

/**
 * The text of a value; undefined where it has none, as a member that is left out. Throws for what JSON does not have, and
 * for circles, which have no end.
 */
function write(value: unknown): string | undefined {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('Only finite numbers have a canonical form.')
    return String(value)
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += `${text && ','}${write(item) ?? 'null'}`
    return `[${text}]`
  }
  // In the order of their UTF-16 code units (RFC 8785 section 3.2.3), which is that of `sort`.
  for (const name of Object.keys(value).sort()) {
    const member = write((value as Readonly<Record<string, unknown>>)[name])
    if (member !== undefined) text += `${text && ','}${quote(name)}:${member}`
  }
  return `{${text}}`
}

/** A text as JSON has it. What nothing had to be escaped in has no lone surrogate either. */
function quote(text: string): string {
  const quoted = JSON.stringify(text)
  if (quoted.length !== text.length + 2 && LONE_SURROGATE.test(text)) throw new RangeError('A surrogate stands alone.')
  return quoted
}
