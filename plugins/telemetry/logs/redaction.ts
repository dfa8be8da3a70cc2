/**
 * Redaction by name: a value of any type is not printed if its name is that of a secret. This protects secrets without
 * the type `Secret`, which is printed as `[redacted]`.
 */

/** The text that replaces a secret. */
export const redacted = '[redacted]'

/** Whether a value with this name must not be printed. Names are compared by word: `apiKey` equals `api-key`. */
export function isSecretName(name: string): boolean {
  let known = decided.get(name)
  if (known === undefined) {
    known = secretWords.test(toWords(name))
    if (decided.size < DECIDED_NAMES) decided.set(name, known)
  }
  return known
}

const secretWords =
  /(^|-)(secrets?|passwords?|passwd|passphrases?|pwd|tokens?|jwts?|bearer|authorization|cookies?|credentials?|signatures?|apikeys?|(api|private|signing|secret|raw)-keys?)(-|$)/

/** Maximum number of cached names. Most names are in the code; the limit protects against names from data. */
const DECIDED_NAMES = 1_000
const decided = new Map<string, boolean>()

function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}
