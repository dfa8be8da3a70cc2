/** Who is at the other end, when proxies stand between. */
import type { SvcRequest } from './request.ts'

/**
 * The address of the client: that of the connection, or, where the connection comes from a trusted proxy, the last
 * address in `X-Forwarded-For` that is not itself a trusted proxy. What an untrusted client puts there is never believed.
 */
export function clientAddress(request: SvcRequest, trustedProxies: ReadonlySet<string>): string {
  const direct = request.peer.address
  if (trustedProxies.size === 0 || !trustedProxies.has(direct)) return direct
  const hops = (request.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  for (const hop of hops.reverse()) if (hop !== '' && !trustedProxies.has(hop)) return hop
  return direct
}
