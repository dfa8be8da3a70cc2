import { readAddress } from './ip-address.ts'

/**
 * The network that one client controls: the IPv4 address, or the /64 of an IPv6 address, which every IPv6 host has to itself. It is the
 * key of every budget that is counted by address. A text that is no address is returned as it is.
 */
export function networkOf(text: string): string {
  const address = readAddress(text) ?? text
  if (!address.includes(':')) return address
  const missing = 8 - address.split(':').filter(Boolean).length
  const whole = address.replace('::', `:${'0:'.repeat(missing)}`).replace(/^:/, '')
  return whole.split(':').slice(0, 4).join(':')
}
