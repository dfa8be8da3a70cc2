/** The addresses of `server.trusted_proxies`: single addresses and networks in CIDR notation (RFC 4632, RFC 4291). */
import { readAddress } from './ip-address.ts'

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
