/** Whether the console's credential may see the runs and keys of other users, which the service says by its answers. */
import { useLoad } from './load.ts'
import { loadedSession, runtime, ServiceError } from './service.ts'

/** What the credential may see. */
export interface Operator {
  readonly seesRuns: boolean
  readonly seesKeys: boolean
}

const NOBODY: Operator = { seesRuns: false, seesKeys: false }

/** How long an answer counts, in milliseconds. After that the credential may have other scopes. */
const KNOWN_MS = 60_000

let cache: { readonly credential: string; readonly operator: Operator; readonly atMs: number } | undefined

/**
 * Asks the service at most once a minute for each credential. Nobody before the answer, and where delegation is off.
 */
export function useOperator(): Operator {
  const { data = NOBODY } = useLoad(readOperator)
  return data
}

async function readOperator(signal: AbortSignal): Promise<Operator> {
  const { views, runtime: surface } = loadedSession()
  const credential = `${surface?.origin} ${surface?.user} ${surface?.tenant}`
  if (cache?.credential === credential && performance.now() - cache.atMs < KNOWN_MS) return cache.operator
  const [seesRuns, seesKeys] = await Promise.all([
    views.includes('runs') && hasPages('/api/svc/runs?user=*&limit=1', signal),
    views.includes('keys') && hasPages('/api/svc/auth/keys?all=true&limit=1', signal),
  ])
  cache = { credential, operator: { seesRuns, seesKeys }, atMs: performance.now() }
  return cache.operator
}

/** The service refuses the list, or has no such list: 404 where its store of keys cannot tell all. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404])

/** Whether the service answers with pages. An older one has no pages, and answers with what is the caller's. */
async function hasPages(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { next } = await runtime<{ readonly next?: string | null }>(path, { signal })
    return next !== undefined
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.has(error.status)) return false
    throw error
  }
}
