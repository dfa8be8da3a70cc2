/** Admits the commands of a push together, once everything that it pinned is here. */
import type { Boards } from '../../../kbd/capabilities.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import { admitAll, proveAll, type ReadCommand } from '../proving/prove-commands.ts'
import { belowHeads, toNode } from './check-parents.ts'

/**
 * Admits the waiting and the fresh commands that are pinned heads of the push, or below them, parents first. The signer
 * of the push vouches for these commands and for no others.
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
    const freshById = new Map(fresh.map((command) => [command.id, command]))
    const ids = await idsToAdmit(inboxed, fresh)
    for (let at = 0; at < ids.length; at += SLICE) {
      const slice = ids.slice(at, at + SLICE)
      const provenById = new Map<string, ReadCommand>()
      for (const id of slice) {
        const proven = freshById.get(id) ?? cache.get(id)
        if (proven !== undefined) provenById.set(id, proven)
      }
      const missing = slice.filter((id) => !provenById.has(id))
      for (const command of await proveStaged(inboxed, missing)) provenById.set(command.id, command)
      const commands = slice.map((id) => commandOf(provenById, id))
      await admitAll(boards, inboxed.project, commands, { heads: slice, signerKeyId: inboxed.signerKeyId })
      cache.drop(slice)
    }
  }
}

function commandOf(commands: ReadonlyMap<string, ReadCommand>, id: string): ReadCommand {
  const command = commands.get(id)
  if (command === undefined) throw new Error(`The waiting command ${id} is gone.`)
  return command
}

/** A cache of proven commands. It is emptied when it has more than 32 MiB of their texts. */
export interface ProvenCache {
  get(id: string): ReadCommand | undefined
  add(commands: readonly ReadCommand[]): void
  drop(ids: Iterable<string>): void
}

const MAX_BYTES = 33_554_432

/** Creates an empty cache. */
export function createProvenCache(): ProvenCache {
  const proven = new Map<string, ReadCommand>()
  let bytes = 0
  const drop = (ids: Iterable<string>): void => {
    for (const id of ids) {
      bytes -= proven.get(id)?.text.length ?? 0
      proven.delete(id)
    }
  }
  return {
    get: (id) => proven.get(id),
    add(commands) {
      for (const command of commands) {
        if (bytes > MAX_BYTES) drop([...proven.keys()])
        if (!proven.has(command.id)) bytes += command.text.length
        proven.set(command.id, command)
      }
    },
    drop,
  }
}
