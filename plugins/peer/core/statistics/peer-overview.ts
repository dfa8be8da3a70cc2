/** The peers in the response of `/api/v1/peers`. */
import type { PeerOverview } from '../../../kbd/api.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { PeerEntry } from '../../api.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import type { Keeper } from './kept-statistics.ts'
import type { PeerCounters, PeerStatistics } from './peer-statistics.ts'

/** What the overview needs. */
export interface OverviewParts {
  readonly registry: Pick<PeerRegistry, 'list'>
  readonly boards: Boards
  readonly statistics: PeerStatistics
  /** What an earlier process of this node has seen of a peer. */
  readonly before: Keeper['before']
  /** The name of the link to a peer. */
  readonly transport: (entry: PeerEntry) => string
}

/** Failures to reach a peer. Any other failure is a refusal of a peer that was reached. */
const AWAY: ReadonlySet<string | undefined> = new Set(['unreachable', 'timeout'])

/** Creates the overview of all peers in the registry. */
export function createOverview({
  registry,
  boards,
  statistics,
  before,
  transport,
}: OverviewParts): () => Promise<readonly PeerOverview[]> {
  return async () => {
    const entries = await registry.list()
    return boards.read((reads) =>
      entries.map((entry) => {
        const { endpointId, label, addresses } = entry
        const counters = statistics.of(endpointId)
        const earlier = before(endpointId)
        const headsByProject = new Map([...Object.entries(earlier?.heads ?? {}), ...counters.heads])
        const projects = [...headsByProject].map(([project, heads]) => {
          const past = counters.past.get(project) ?? heads
          // The past of a head that is not here may have any command, so the peer is not known to lack one.
          const unknownHeads = past.length - reads.known(project, past).size
          const behind = unknownHeads === 0 ? reads.behind(project, past) : 0
          return [project, { frontier: { heads }, behind, unknownHeads }] as const
        })
        return {
          endpointId,
          label,
          transport: transport(entry),
          addresses,
          state: stateOf(counters),
          lastSeenAtMs: counters.lastSeenAtMs ?? earlier?.lastSeenAtMs ?? null,
          lastFailure: counters.lastFailure,
          failingSinceMs: counters.failingSinceMs,
          allowedProjects: entry.projects,
          projects: Object.fromEntries(projects),
        }
      }),
    )
  }
}

function stateOf({ reached, lastFailure }: PeerCounters): PeerOverview['state'] {
  if (reached === null) return 'never'
  if (reached) return 'connected'
  return AWAY.has(lastFailure?.code) ? 'unreachable' : 'refused'
}
