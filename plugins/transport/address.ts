/** IP addresses as text. */

/** Returns the IPv4 address of a mapped IPv6 address, and any other address unchanged. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

/** The text of a binary address of 4 or 16 bytes, in the form of RFC 5952; empty for any other length. */
export function addressText(binary: ArrayBuffer): string {
  const bytes = new Uint8Array(binary)
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return ''
  const mapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  if (mapped) return bytes.subarray(12).join('.')
  const view = new DataView(binary)
  const groups = Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16))
  // The longest run of zero groups, the first of several, of two at least, becomes `::`.
  const runs = [...groups.join(':').matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)]
  const longest = runs.reduce(
    (best, [run]) => (run.replace(/^:/, '').length > best.replace(/^:/, '').length ? run : best),
    '',
  )
  const text = groups.join(':')
  if (longest === '') return text
  const at = text.indexOf(longest)
  return `${text.slice(0, at)}::${text.slice(at + longest.length).replace(/^:/, '')}`
}
