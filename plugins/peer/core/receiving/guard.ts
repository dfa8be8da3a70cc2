/** The guard of the surface between peers. A caller is identified by the key that the handshake proved. */
import type { Guard } from '../../../../core/http/guard.ts'
import type { Hook } from '../../../../core/http/hooks.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import { PEER_VERSION, type PeerConnection } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import type { Strangers } from '../pairing/strangers.ts'
import { paths } from '../paths.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'

/** What the guard needs. */
export interface GuardParts {
  readonly registry: Pick<PeerRegistry, 'entry'>
  readonly statistics: PeerStatistics
  readonly faults: Pick<Faults, 'refused'>
  readonly strangers: Pick<Strangers, 'has' | 'mayAsk'>
  readonly maxExchanges: number
  /** Called with a peer that sends a request after it could not be reached. */
  readonly reachable: (endpointId: string) => void
  /** Called after each response with its status and the bytes of its body. */
  readonly answered: (status: number, bytes: number) => void
}

/** Paths of the other surfaces. They are refused before anything else of the request is looked at. */
const FORBIDDEN = /^\/api\/(?:v1|v2\/sync)\//

/** Creates the guard and its hook. The hook ends the exchange that the guard has begun, and counts its bytes. */
export function createPeerGuard(parts: GuardParts): {
  readonly guard: Guard
  readonly hook: Hook
} {
  const { registry, statistics, faults, strangers, maxExchanges, reachable, answered } = parts
  const open = new WeakSet<SvcRequest>()
  const isJoining = (request: SvcRequest): boolean =>
    request.method === 'POST' && request.path === paths.pairings && strangers.mayAsk(request)
  const begin = (request: SvcRequest, id: string): void => {
    // The guard runs a second time once the body has come. It is the same exchange.
    if (open.has(request)) return
    const counters = statistics.of(id)
    if (counters.exchanges >= maxExchanges || !statistics.hasBytes(id)) throw fail('rate_limited')
    counters.exchanges++
    open.add(request)
  }
  /** Begins an exchange and returns the projects of the entry of the caller. Rejects with the reason of a refusal. */
  const admit = async (request: SvcRequest, connection: PeerConnection): Promise<readonly string[]> => {
    const id = connection.endpointId
    const entry = await registry.entry(id)
    if (entry === undefined) {
      for (const one of statistics.of(id).connections) one.destroy()
      throw fail('not_listed')
    }
    if (FORBIDDEN.test(request.path)) throw fail('transport_forbidden')
    if (request.header('svc-peer-version') !== PEER_VERSION) throw fail('version_unsupported')
    begin(request, id)
    return entry.projects
  }
  return {
    async guard(request) {
      const connection = request.peer as PeerConnection
      const id = connection.endpointId
      if (connection.transport !== 'peer') throw fail('transport_forbidden')
      const isStranger = isJoining(request) && (await registry.entry(id)) === undefined
      if (isStranger) {
        if (request.header('svc-peer-version') !== PEER_VERSION) throw fail('version_unsupported')
        return { kind: 'peer', user: id, tenant: null, scopes: [], credential: null }
      }
      try {
        const scopes = await admit(request, connection)
        if (statistics.seen(id)) reachable(id)
        return { kind: 'peer', user: id, tenant: null, scopes, credential: null }
      } catch (error) {
        await faults.refused(id, null, error)
        throw error
      }
    },
    hook: {
      amend(request, reply) {
        // A stranger that was refused may not send another request on its connection (RFC 9112 section 9.6).
        const last = strangers.has(request.peer as PeerConnection) ? { connection: 'close' } : undefined
        return { ...reply, headers: { ...reply.headers, ...last, 'svc-peer-version': PEER_VERSION } }
      },
      onReply(request, { status, body }) {
        const bytes = body === undefined ? 0 : Buffer.byteLength(body)
        answered(status, bytes)
        const id = (request.peer as PeerConnection).endpointId
        if (!open.delete(request)) return
        statistics.of(id).exchanges--
        statistics.spend(id, bytes)
      },
    },
  }
}
