/** Which peers are known to have a command: those whose last frontier has it in its past. */

import type { PeerOverview } from '../../peer/api.ts'
import type { LocalService } from '../../sync/capabilities.ts'
import { commandsOf } from './move-boards.ts'

/** The labels, or the beginnings of ids, of the peers that have a command, by its id. */
export async function findPeersOf(service: LocalService, project: string): Promise<(id: string) => readonly string[]> {
  const { peers } = await service.get<{ peers: readonly PeerOverview[] }>('/api/v1/peers')
  const names = new Map<string, Set<string>>()
  const seen = peers.flatMap(({ endpointId, label, projects }) => {
    const heads = projects[project]?.frontier.heads ?? []
    return heads.length === 0 ? [] : [{ name: label ?? endpointId.slice(0, 12), heads }]
  })
  if (seen.length > 0) {
    const parents: [id: string, parents: readonly string[]][] = []
    for await (const { id, envelope } of commandsOf(service, project))
      parents.push([id, envelope.expectedFrontier.heads])
    for (const { name, heads } of seen) {
      const past = new Set(heads)
      // Parents stand before their children, so that one walk back meets all of the past.
      for (const [id, of] of parents.toReversed()) {
        if (!past.has(id)) continue
        for (const parent of of) past.add(parent)
        names.set(id, (names.get(id) ?? new Set()).add(name))
      }
    }
  }
  return (id) => [...(names.get(id) ?? [])]
}
