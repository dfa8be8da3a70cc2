/** The code of an invitation: `svcd1-<id>-<secret>`, with an id of 16 and a secret of 43 base62 digits. */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CODE = /^svcd1-([0-9A-Za-z]{16})-([0-9A-Za-z]{43})$/
/** The form of a code, for OpenAPI. */
export const CODE_PATTERN: string = CODE.source

/** A code. */
export interface InvitationCode {
  readonly id: string
  /** 256 random bits. */
  readonly secret: string
}

/** Draws a code. `random` returns the given number of random bytes. */
export function drawCode(random: (length: number) => Uint8Array): InvitationCode {
  return { id: toBase62(random(24), 16), secret: toBase62(random(32), 43) }
}

/** The text of a code. */
export function toCode({ id, secret }: InvitationCode): string {
  return `svcd1-${id}-${secret}`
}

/** Reads a code. Returns undefined for anything else. */
export function readCode(text: unknown): InvitationCode | undefined {
  const [, id, secret] = typeof text === 'string' ? (CODE.exec(text) ?? []) : []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** Writes a number of random bytes with a fixed number of digits; what does not fit is left out. */
function toBase62(bytes: Uint8Array, length: number): string {
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let text = ''
  for (; text.length < length; value /= 62n) text = DIGITS[Number(value % 62n)] + text
  return text
}
