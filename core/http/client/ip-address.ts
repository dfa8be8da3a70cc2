/** Reads IP addresses. Every spelling of an address gives the same text. */

/** An IPv4 address, or an IPv6 address in brackets or without, with its zone; then a port. */
const WRITTEN = /^(?:(\d+(?:\.\d+){3})|\[?([\da-f:.]{2,45})(?:%[\w.-]*)?\]?)(?::\d{1,5})?$/i

const MAPPED = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/

/**
 * The IP address in a text, or null if there is none: IPv4 in decimal, IPv6 in the form of RFC 5952, an IPv4-mapped
 * IPv6 address as IPv4. A port and a zone are left out.
 */
export function readAddress(text: string): string | null {
  const [, v4, v6] = WRITTEN.exec(text) ?? []
  if (v4 !== undefined) {
    const bytes = v4.split('.').map(Number)
    return bytes.every((byte) => byte < 256) ? bytes.join('.') : null
  }
  if (v6 === undefined) return null
  try {
    const { hostname } = new URL(`http://[${v6}]`)
    const pairs = MAPPED.exec(hostname)?.slice(1)
    if (pairs === undefined) return hostname.slice(1, -1)
    return pairs.map((pair) => `${Number(`0x${pair}`) >> 8}.${Number(`0x${pair}`) & 255}`).join('.')
  } catch {
    return null
  }
}
