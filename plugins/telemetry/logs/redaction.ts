/**
 * The second net under secrets: values under a name that sounds like a secret are not printed, whatever their type.
 * The first net is the `Secret` type, which prints itself as `[redacted]`.
 */

/** What stands in a log instead of a secret. */
export const redacted = '[redacted]'

/** Whether a value under this name must not be printed. Names are compared by word: `apiKey` is `api-key`. */
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

/** Field names are written in code; the bound is for names that come out of data. */
const DECIDED_NAMES = 1_000
const decided = new Map<string, boolean>()

function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}
