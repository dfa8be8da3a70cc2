/** The targets of the palette, from the session and from the service. */
import { chosenUser } from '../lib/as-user.ts'
import { readBack } from '../lib/audit-pages.ts'
import { loadedSession, local, runtime, ServiceError } from '../lib/service.ts'
import type { RunList } from '../views/runs/run-record.ts'
import type { View } from '../views/view.tsx'
import type { Target } from './target.ts'
import { runTarget } from './target.ts'

/** Number of runs, pushes and cards that are read. */
const READ = 50
/** The service finds nothing for a shorter text. */
const MIN_SEARCH = 2

/** The views of the page. */
export function viewTargets(views: readonly View[]): readonly Target[] {
  return views.map(({ path, title, key }) => ({ kind: 'view', key: path, title, detail: `g ${key}`, to: `/${path}` }))
}

/** The commands of the program that runs the console. */
export function commandTargets(): readonly Target[] {
  return loadedSession().usages.map(({ usage, summary }) => ({
    kind: 'copy',
    key: usage,
    title: usage,
    detail: summary,
    copy: usage,
  }))
}

/** The targets that have all words of a text. */
export function matching(targets: readonly Target[], text: string): readonly Target[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return targets.filter(({ title, detail, key }) => {
    const all = `${title} ${detail} ${key}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** Targets of the service, and what of them it did not give. */
export interface ReadTargets {
  readonly targets: readonly Target[]
  readonly notRead: readonly string[]
}

const NONE: ReadTargets = { targets: [], notRead: [] }

/** Reads the newest runs and pushes. */
export async function readTargets(signal: AbortSignal): Promise<ReadTargets> {
  const { views } = loadedSession()
  const parts = await Promise.all([
    views.includes('runs') ? orNotRead('runs', readRuns(signal)) : NONE,
    views.includes('pushes') && views.includes('audit') ? orNotRead('pushes', readPushes(signal)) : NONE,
  ])
  return { targets: parts.flatMap(({ targets }) => targets), notRead: parts.flatMap(({ notRead }) => notRead) }
}

async function readRuns(signal: AbortSignal): Promise<readonly Target[]> {
  const user = chosenUser()
  const { runs } = await runtime<RunList>(`/api/svc/runs?limit=${READ}`, { signal })
  return runs.map((run) => runTarget(run, user))
}

async function readPushes(signal: AbortSignal): Promise<readonly Target[]> {
  interface Entry {
    readonly seq: number
    readonly subject: string | null
    readonly project: string | null
  }
  type Page = { readonly entries: readonly Entry[]; readonly head: { readonly seq: number } }
  const { head } = await local<Page>('/api/v1/audit?limit=1', { signal })
  const { entries } = await readBack(
    async (after, limit) =>
      (await local<Page>(`/api/v1/audit?kind=push&after=${after}&limit=${limit}`, { signal })).entries,
    head.seq,
    READ,
  )
  return entries
    .slice(-READ)
    .flatMap(({ subject, project }): readonly Target[] => {
      if (subject === null) return []
      const title = project === null ? 'Push' : `Push of ${project}`
      return [{ kind: 'push', key: subject, title, detail: subject, to: `/pushes/${encodeURIComponent(subject)}` }]
    })
    .reverse()
}

/** Finds cards of all projects by the search of the service. A build without this search finds none. */
export async function readCards(text: string, signal: AbortSignal): Promise<ReadTargets> {
  if (text.length < MIN_SEARCH || !loadedSession().views.includes('boards')) return NONE
  const parameters = new URLSearchParams({ q: text, kind: 'card', limit: String(READ) })
  interface Result {
    readonly id: string
    readonly project: string
    readonly title: string | null
  }
  return orNotRead(
    'cards',
    local<{ results: readonly Result[] }>(`/api/v1/search?${parameters}`, { signal }).then(({ results }) =>
      results.map(({ id, project, title }) => ({
        kind: 'card',
        key: id,
        title: title ?? 'Untitled card',
        detail: project,
        to: `/boards/${encodeURIComponent(project)}?card=${encodeURIComponent(id)}`,
      })),
    ),
  )
}

async function orNotRead(name: string, read: Promise<readonly Target[]>): Promise<ReadTargets> {
  try {
    return { targets: await read, notRead: [] }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error.status === 404 ? NONE : { targets: [], notRead: [name] }
  }
}
