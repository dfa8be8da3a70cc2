/** Idle peers of a node: each has sent one request and keeps its connection. */
import type { TlsLink } from '../../../plugins/peer/tls/link.ts'
import { createLink } from '../../../plugins/peer/tls/link.ts'
import { createEndpointKey } from './bare-parts.ts'
import { answer, started } from './child.ts'
import type { Peer } from './node.ts'

/** The calls that the process of the idle peers answers. */
export type IdleCalls = {
  readonly peers: (given: undefined) => Peer[]
  readonly open: (count: number) => Promise<void>
}

const { count, peer } = started<{ readonly count: number; readonly peer: Peer }>()
const keys = Array.from({ length: count }, createEndpointKey)
const links: TlsLink[] = []
const entry = { ...peer, label: null, projects: [], source: 'cli' as const }

const calls: IdleCalls = {
  peers: () => keys.map(({ endpointId }) => ({ endpointId, addresses: [] })),
  async open(wanted) {
    for (const key of keys.slice(links.length, wanted)) {
      const link = createLink({ key: () => key, timeoutMs: 10_000, idleTimeoutMs: 600_000, maxConnections: 1 })
      links.push(link)
      const { status } = await link.exchange(entry, {
        method: 'GET',
        path: '/api/v2/peer/projects/bench/frontier',
        headers: { 'svc-peer-version': '1' },
      })
      if (status !== 200) throw new Error(`${status}`)
    }
  },
}
answer(calls)
