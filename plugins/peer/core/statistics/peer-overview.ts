/** What `/api/v1/peers` shows. */
import type { Boards } from '../../../kbd/capabilities.ts'
import type { PeerEntry, PeerFigure } from '../../api.ts'
import type { PeerBook } from '../../registry/capabilities.ts'
import type { Tallies, Tally } from './peer-statistics.ts'

/** What the figures are made of. */
export interface FigureParts {
  readonly book: Pick<PeerBook, 'list'>
  readonly boards: Boards
  readonly tallies: Tallies
  /** How the way to a peer is called. */
  readonly transport: (entry: PeerEntry) => string
}

/** Failures to reach a peer; any other is of one that was reached. */
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'timeout'])

/** Makes the figures of all peers that are entered. */
export function createFigures({ book, boards, tallies, transport }: FigureParts): () => Promise<readonly PeerFigure[]> {
  return async () => {
    const entries = await book.list()
    return boards.read((reads) =>
      entries.map((entry) => {
        const { endpointId, label, addresses } = entry
        const tally = tallies.of(endpointId)
        const projects = [...tally.heads].map(([project, heads]) => {
          const past = tally.past.get(project) ?? heads
          // Below a head that is not here the peer may have anything: it is known to lack nothing.
          const isKnown = reads.known(project, past).size === past.length
          return [project, { frontier: { heads }, behind: isKnown ? reads.behind(project, past) : 0 }] as const
        })
        return {
          endpointId,
          label,
          transport: transport(entry),
          addresses,
          state: stateOf(tally),
          lastSeenAtMs: tally.lastSeenAtMs,
          lastFailure: tally.lastFailure,
          projects: Object.fromEntries(projects),
        }
      }),
    )
  }
}

function stateOf({ reached, lastFailure }: Tally): PeerFigure['state'] {
  if (reached === null) return 'never'
  if (reached) return 'connected'
  return AWAY.has(lastFailure!.code) ? 'unreachable' : 'refused'
}
