/** The targets of the palette, from the session and from the service. */
import { readBack } from '../lib/audit-pages.ts'
import { loadedSession, local, runtime, ServiceError } from '../lib/service.ts'
import type { View } from '../views/view.ts'

/** A place of the page to go to, or a command to copy. */
export type Target = {
  readonly kind: 'view' | 'run' | 'card' | 'push' | 'copy'
  /** Differs from the keys of all other targets of the kind. */
  readonly key: string
  readonly title: string
  readonly detail: string
} & ({ readonly to: string } | { readonly copy: string })

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

/** Reads the newest runs and pushes. A surface that does not answer has none. */
export async function readTargets(signal: AbortSignal): Promise<readonly Target[]> {
  const { views } = loadedSession()
  const [runs, pushes] = await Promise.all([
    views.includes('runs') ? orNone(readRuns(signal)) : [],
    views.includes('pushes') && views.includes('audit') ? orNone(readPushes(signal)) : [],
  ])
  return [...runs, ...pushes]
}

async function readRuns(signal: AbortSignal): Promise<readonly Target[]> {
  interface Run {
    readonly run_id: string
    readonly status: string
    readonly thread_id: string
  }
  const { runs } = await runtime<{ runs: readonly Run[] }>(`/api/svc/runs?limit=${READ}`, { signal })
  return runs.map(({ run_id, status, thread_id }) => ({
    kind: 'run',
    key: run_id,
    title: run_id,
    detail: `${status}, thread ${thread_id}`,
    to: `/runs/${encodeURIComponent(run_id)}`,
  }))
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
export async function readCards(text: string, signal: AbortSignal): Promise<readonly Target[]> {
  if (text.length < MIN_SEARCH || !loadedSession().views.includes('boards')) return []
  const parameters = new URLSearchParams({ q: text, kind: 'card', limit: String(READ) })
  interface Result {
    readonly id: string
    readonly project: string
    readonly title: string | null
  }
  return orNone(
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

async function orNone(read: Promise<readonly Target[]>): Promise<readonly Target[]> {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return []
  }
}
