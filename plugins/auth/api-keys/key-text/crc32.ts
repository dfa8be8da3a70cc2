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
