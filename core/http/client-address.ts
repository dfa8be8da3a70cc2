/**
 * The address of a client: parsing, trusted proxies (`X-Forwarded-For`), and the network that budgets are counted by.
 */
import type { SvcRequest } from './request.ts'

/**
 * The address of the client: the address of the connection, or, if the connection comes from a trusted proxy, the last
 * address in `X-Forwarded-For` that is not a trusted proxy, without its port. The header of an untrusted client is
 * ignored. If the header has an entry that is no address, the address of the connection is returned.
 */
export function clientAddress(request: SvcRequest, isTrusted: IsTrusted): string {
  const direct = request.peer.address
  if (!isTrusted(direct)) return direct
  const hops = (request.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  for (const hop of hops.reverse()) {
    if (hop === '') continue
    const address = readAddress(hop)
    if (address === null) return direct
    if (!isTrusted(address)) return address
  }
  return direct
}

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

/** Whether an address, in any spelling, is that of a trusted proxy. */
export type IsTrusted = (address: string) => boolean

/**
 * An address or a network in its normal form, or undefined if a text is neither. Bits behind the length of a network
 * are ignored. A port, a zone, brackets, and a number with a leading zero, which some programs read as octal, are
 * refused.
 */
export function readProxy(text: string): string | undefined {
  const [, written, length] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  if (written === undefined || /^\d+\.[\d.]*:|(?:^|[.:])0\d+\./.test(written)) return undefined
  const address = readAddress(written)
  if (address === null) return undefined
  if (length === undefined) return address
  // A network of mapped addresses is one of IPv4.
  const bits = Number(length) - (written.includes(':') && address.includes('.') ? 96 : 0)
  return bits >= 0 && bits < toBits(address).length ? `${address}/${bits}` : undefined
}

/** Makes the test for a list of addresses that `readProxy` returned. */
export function toIsTrusted(proxies: readonly string[]): IsTrusted {
  const prefixes = proxies.map((proxy) => {
    const [address, length] = proxy.split('/')
    return toBits(address!).slice(0, length === undefined ? undefined : Number(length) + 1)
  })
  return (text) => {
    const address = prefixes.length === 0 ? null : readAddress(text)
    if (address === null) return false
    const bits = toBits(address)
    return prefixes.some((prefix) => bits.startsWith(prefix))
  }
}

/** The family and then the bits of an address from `readAddress`. So `::/0` matches all of IPv6 and nothing of IPv4. */
function toBits(address: string): string {
  if (!address.includes(':')) return `4${binary(address.split('.').map(Number), 8)}`
  const [head, tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const gap = tail === undefined ? [] : Array<string>(8 - head!.length - tail.length).fill('0')
  return `6${binary(
    [...head!, ...gap, ...(tail ?? [])].map((group) => Number(`0x${group}`)),
    16,
  )}`
}

function binary(numbers: readonly number[], width: number): string {
  return numbers.map((number) => number.toString(2).padStart(width, '0')).join('')
}

/**
 * The network that one client controls: the IPv4 address, or the /64 of an IPv6 address, which every IPv6 host has to
 * itself. It is the key of every budget that is counted by address. A text that is no address is returned as it is.
 */
export function networkOf(text: string): string {
  const address = readAddress(text) ?? text
  if (!address.includes(':')) return address
  const missing = 8 - address.split(':').filter(Boolean).length
  const whole = address.replace('::', `:${'0:'.repeat(missing)}`).replace(/^:/, '')
  return whole.split(':').slice(0, 4).join(':')
}
