/**
 * The commands of projects, by their id in the graph. What the page has read is kept, and later reads go on from there.
 */
import { local, ServiceError } from '../../lib/service.ts'
import type { ListedCommand } from './state.ts'

/** Number of commands in a page of the service, and the largest number of commands that are read of a project. */
const PAGE = 1_000
const MAX_READ = 20_000

/** The commands of a project that were read, in the order of their arrival. */
export interface CommandList {
  readonly byId: ReadonlyMap<string, ListedCommand>
  /** Whether these are all commands. */
  readonly isWhole: boolean
}

const lists = new Map<string, { byId: Map<string, ListedCommand>; queue: Promise<unknown> }>()

/** Reads the commands of a project that have not been read. Rejects with a `ServiceError`. */
export function readCommands(project: string, signal: AbortSignal): Promise<CommandList> {
  const list = lists.get(project) ?? { byId: new Map(), queue: Promise.resolve() }
  lists.set(project, list)
  // One read after another, because each goes on from the last command.
  const next = list.queue.then(() => readOn(project, list.byId, signal))
  list.queue = next.catch(() => undefined)
  return next
}

async function readOn(project: string, byId: Map<string, ListedCommand>, signal: AbortSignal): Promise<CommandList> {
  const path = `/api/v1/kbd/projects/${encodeURIComponent(project)}/commands?limit=${PAGE}`
  while (byId.size < MAX_READ) {
    const after = [...byId.keys()].at(-1)
    try {
      const { commands } = await local<{ commands: readonly ListedCommand[] }>(
        after === undefined ? path : `${path}&after=${after}`,
        { signal },
      )
      for (const command of commands) byId.set(command.id, command)
      if (commands.length < PAGE) return { byId: new Map(byId), isWhole: true }
    } catch (error) {
      // The store was replaced by another one, which does not have the last command.
      if (!(error instanceof ServiceError) || after === undefined || error.status === 0 || error.status >= 500)
        throw error
      byId.clear()
    }
  }
  return { byId: new Map(byId), isWhole: false }
}
