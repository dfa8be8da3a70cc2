/** Finds the address of the client behind proxies. */

import type { SvcRequest } from '../request.ts'
import { readAddress } from './ip-address.ts'
import type { IsTrusted } from './trusted-proxies.ts'

/**
 * The address of the client: that of the connection, or, where the connection comes from a trusted proxy, the last
 * address in `X-Forwarded-For` that is not itself a trusted proxy; a port behind it is left out. What an untrusted client
 * puts there is never believed, and where a proxy wrote something that is no address, the proxy's own stands for it.
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
