const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = 62n

const PREFIX = 'svc_'
const ID_LENGTH = 16
/** The smallest number of base62 digits that holds 256 bits. */
const SECRET_LENGTH = 43
/** The smallest number of base62 digits that holds 32 bits. */
const CHECK_LENGTH = 6

/** Index at which the secret begins in the text of a key. */
export const SECRET_AT: number = PREFIX.length + ID_LENGTH + 1

const PATTERN = /^svc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/

/** Random bytes for an id. 95.3 bits of them are used, so that two ids are never equal. */
const ID_BYTES = 24
const SECRET_BYTES = 32

/** A new API key. */
export interface NewKey {
  /** `svc_` + id + `_` + secret of 256 random bits + CRC-32 of all before it, in base62. */
  readonly text: string
  readonly id: string
}

/** Creates a key. `random` returns the given number of random bytes; without `id` a random id is drawn too. */
export function createKeyText(
  random: (length: number) => Uint8Array,
  id: string = toBase62(random(ID_BYTES), ID_LENGTH),
): NewKey {
  const body = `${PREFIX}${id}_${toBase62(random(SECRET_BYTES), SECRET_LENGTH)}`
  return { id, text: body + checksum(body) }
}

/** Returns the id in a text that has the shape of a key, or null for other texts. */
export function readKeyId(text: string): string | null {
  return PATTERN.test(text) ? text.slice(PREFIX.length, SECRET_AT - 1) : null
}

/**
 * Whether the checksum in a text that has the shape of a key is right, so that a typing error costs no hash and no
 * look-up.
 */
export function hasRightChecksum(text: string): boolean {
  const checkAt = text.length - CHECK_LENGTH
  return checksum(text.slice(0, checkAt)) === text.slice(checkAt)
}

/** Returns the public part of a key's text, by which its owner recognizes the key. */
export function keyPrefix(id: string): string {
  return PREFIX + id
}

function checksum(body: string): string {
  return digits(BigInt(crc32(body)), CHECK_LENGTH)
}

function toBase62(bytes: Uint8Array, length: number): string {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return digits(value, length)
}

/** Returns the last `length` base62 digits of `value`. */
function digits(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= BASE) text = DIGITS[Number(rest % BASE)] + text
  return text
}

/** The reversed polynomial of ISO 3309, as in zip and PNG files. */
const POLYNOMIAL = 0xedb88320

const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? POLYNOMIAL : 0)
  return value
})

/** Returns the CRC-32 of an ASCII text as an unsigned integer. It detects typing errors, not forgeries. */
export function crc32(text: string): number {
  let value = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    value = (value >>> 8) ^ TABLE[(value ^ text.charCodeAt(index)) & 255]!
  }
  return (value ^ 0xffffffff) >>> 0
}
