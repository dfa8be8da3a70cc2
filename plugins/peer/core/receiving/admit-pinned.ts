/** Admits the commands of a push together, once everything that it pinned is here. */
import type { Boards } from '../../../kbd/capabilities.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import { admitAll, proveAll, type ReadCommand } from '../proving/prove-commands.ts'
import { belowHeads, toNode } from './check-parents.ts'
import type { ProvenCache } from './proven-cache.ts'

/**
 * Admits the waiting and the fresh commands that are pinned heads of the push, or below them, parents first. The signer of the push
 * vouches for these commands and for no others.
 */
export type AdmitPinned = (inboxed: Inboxed, fresh: readonly ReadCommand[]) => Promise<void>

/** Commands of one call of the engine. */
const SLICE = 256

/** Creates it. Commands that are in the cache are not proven again. */
export function createAdmitPinned(boards: Boards, staged: PeerStore['staged'], cache: ProvenCache): AdmitPinned {
  const idsToAdmit = async ({ no, heads }: Inboxed, fresh: readonly ReadCommand[]): Promise<readonly string[]> => {
    const graph = [...(await staged.graph(no)), ...fresh.map(toNode)]
    const below = belowHeads(graph, heads ?? [])
    return [...new Set(graph.map(({ id }) => id))].filter((id) => below.has(id))
  }

  const proveStaged = async ({ no, project }: Inboxed, ids: readonly string[]): Promise<readonly ReadCommand[]> => {
    const texts = await staged.texts(no, ids)
    const { commands, bad } = await proveAll(
      boards,
      project,
      texts.map((text) => JSON.parse(text) as unknown),
    )
    if (bad !== undefined) throw bad
    return commands
  }

  return async (inboxed, fresh) => {
    const given = new Map(fresh.map((command) => [command.id, command]))
    const ids = await idsToAdmit(inboxed, fresh)
    for (let at = 0; at < ids.length; at += SLICE) {
      const slice = ids.slice(at, at + SLICE)
      const found = new Map<string, ReadCommand>()
      for (const id of slice) {
        const proven = given.get(id) ?? cache.get(id)
        if (proven !== undefined) found.set(id, proven)
      }
      const missing = slice.filter((id) => !found.has(id))
      for (const command of await proveStaged(inboxed, missing)) found.set(command.id, command)
      const commands = slice.map((id) => commandOf(found, id))
      await admitAll(boards, inboxed.project, commands, { heads: slice, signerKeyId: inboxed.signerKeyId })
      cache.drop(slice)
    }
  }
}

function commandOf(found: ReadonlyMap<string, ReadCommand>, id: string): ReadCommand {
  const command = found.get(id)
  if (command === undefined) throw new Error(`The waiting command ${id} is gone.`)
  return command
}
