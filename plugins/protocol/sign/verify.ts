/** Verifies signatures by the rule of ed25519-rule.ts. Runs in browsers, too. */
import { sha256 } from '@noble/hashes/sha2.js'
import { canonicalText, withoutSignature } from '../canonical.ts'
import { fromBase64, toHex } from '../codecs.ts'
import { fromKeyId, isAdmissibleKey } from '../keys.ts'
import { verifySignature } from '../verify-signature.ts'

const encoder = new TextEncoder()

/** Whether a key signed a text. Returns false for an inadmissible key or signature. Never throws. */
export function isSignedBy(publicKey: Uint8Array | undefined, text: string, signatureText: string): boolean {
  const signature = fromBase64(signatureText)
  if (signature === undefined || publicKey === undefined) return false
  return isAdmissibleKey(publicKey) && verifySignature(signature, encoder.encode(text), publicKey)
}

/**
 * Whether a command was signed by the key that it names; with `listed`, also whether it has this id and belongs to this
 * project. Returns false for any other value. Never throws.
 *
 * @example
 * ```ts
 * import { verifyCommand } from 'svc/sign'
 *
 * verifyCommand({ command: 'none' }) // → false
 * ```
 */
export function verifyCommand(value: unknown, listed?: { readonly id: string; readonly project: string }): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { signerKeyId, signature, domain } = value as Readonly<Record<string, unknown>>
  if (typeof signerKeyId !== 'string' || typeof signature !== 'string') return false
  let text: string
  try {
    text = canonicalText(withoutSignature(value))
  } catch {
    return false
  }
  if (listed !== undefined && (domain !== `kbd-control:${listed.project}` || commandId(text) !== listed.id))
    return false
  return isSignedBy(fromKeyId(signerKeyId), text, signature)
}

/** The id of a signed command in the graph of its project, 64 lower-case hex: the hash of what its signature covers. */
export function idOfCommand(envelope: object): string {
  return commandId(canonicalText(withoutSignature(envelope)))
}

function commandId(text: string): string {
  return toHex(sha256(encoder.encode(text)))
}
