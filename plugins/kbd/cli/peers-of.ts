/** Finds the peers that are known to have a command: the command is in the past of their last frontier. */

import type { LocalService } from '../../transport/unix/api.ts'
import type { PeerOverview } from '../api.ts'
import { commandsOf } from './move-boards.ts'

/** Returns a function that names the peers that have a command: their labels, or the beginnings of their ids. */
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
      // Parents come before their children, so one walk from the end to the start finds the whole past.
      for (const [id, of] of parents.toReversed()) {
        if (!past.has(id)) continue
        for (const parent of of) past.add(parent)
        names.set(id, (names.get(id) ?? new Set()).add(name))
      }
    }
  }
  return (id) => [...(names.get(id) ?? [])]
}
