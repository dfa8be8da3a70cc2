/** Finds the address of the client behind proxies. */

import type { SvcRequest } from '../request.ts'
import { readAddress } from './ip-address.ts'
import type { IsTrusted } from './trusted-proxies.ts'

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
