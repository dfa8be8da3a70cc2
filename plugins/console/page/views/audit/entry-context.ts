/** Reads what the entries of the audit chain are about: the projects, their commands, and the labels of devices. */
import { useMemo } from 'preact/hooks'
import { useLoad } from '../../lib/load.ts'
import { loadedSession, local, ServiceError } from '../../lib/service.ts'
import { readCommands } from '../boards/command-list.ts'
import { nameOf, readNames } from '../boards/names.ts'
import type { ListedCommand, Project } from '../boards/state.ts'
import type { AuditEntry } from './chain.ts'
import type { EntryContext } from './entry-words.ts'

/** Largest number of projects whose commands are read. */
const MAX_PROJECTS = 10
/** Shortest time between two reads while entries arrive, in milliseconds. */
const READ_MS = 3_000

const NOTHING = { projects: new Map<string, Project>(), commands: new Map<string, ListedCommand>() }

/** What is known about the loaded entries. Without boards, or before the first read, only the labels of devices. */
export function useEntryContext(entries: readonly AuditEntry[]): EntryContext {
  useLoad(readNames)
  const hasBoards = loadedSession().views.includes('boards')
  const names = useMemo(() => projectsOf(entries), [entries])
  const newest = entries.at(-1)?.seq ?? 0
  const { data = NOTHING } = useLoad((stop) => (hasBoards ? readAll(names, stop) : Promise.resolve(NOTHING)), {
    changes: [hasBoards, names.join('\n'), newest],
  })
  return useMemo(() => {
    const cardOfComment = new Map<string, string>()
    for (const { envelope } of data.commands.values())
      if (envelope.command.type === 'comment.add')
        cardOfComment.set(envelope.command.commentId, envelope.command.cardId)
    return { ...data, cardOfComment, nameOf }
  }, [data])
}

function projectsOf(entries: readonly AuditEntry[]): readonly string[] {
  const names = new Set<string>()
  for (const { project, kind } of entries) if (project !== null && kind !== 'push') names.add(project)
  return [...names].slice(0, MAX_PROJECTS)
}

async function readAll(names: readonly string[], signal: AbortSignal): Promise<typeof NOTHING> {
  const projects = new Map<string, Project>()
  const commands = new Map<string, ListedCommand>()
  for (const name of names) {
    try {
      projects.set(name, await readProject(name, signal))
      for (const [id, command] of (await readCommands(name, signal)).byId) commands.set(id, command)
    } catch (error) {
      // A refused command of a project that does not exist has an entry too.
      if (!(error instanceof ServiceError) || error.status !== 404) throw error
    }
  }
  return { projects, commands }
}

const read = new Map<string, { readonly atMs: number; readonly project: Project }>()

async function readProject(name: string, signal: AbortSignal): Promise<Project> {
  const last = read.get(name)
  if (last !== undefined && performance.now() - last.atMs < READ_MS) return last.project
  const project = await local<Project>(`/api/v1/kbd/projects/${encodeURIComponent(name)}`, { signal })
  read.set(name, { atMs: performance.now(), project })
  return project
}
