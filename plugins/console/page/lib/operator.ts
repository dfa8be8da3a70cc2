/** Whether the console's credential may see the runs and keys of other users, which the service says by its answers. */
import { useLoad } from './load.ts'
import { loadedSession, runtime, ServiceError } from './service.ts'

/** What the credential may see. */
export interface Operator {
  readonly seesRuns: boolean
  readonly seesKeys: boolean
}

const NOBODY: Operator = { seesRuns: false, seesKeys: false }

/** A user id whose list is asked for. The answer is the same whether the user exists or not. */
const ANYONE = 'svc-console'

let known: { readonly user: string; readonly operator: Operator } | undefined

/** Asks the service once for each credential. Nobody before the answer, and where delegation is off. */
export function useOperator(): Operator {
  const { data = NOBODY } = useLoad(readOperator)
  return data
}

async function readOperator(signal: AbortSignal): Promise<Operator> {
  const { views, runtime: surface } = loadedSession()
  const user = `${surface?.origin} ${surface?.user} ${surface?.tenant}`
  if (known?.user === user) return known.operator
  const [seesRuns, seesKeys] = await Promise.all([
    views.includes('runs') && isAllowed('/api/svc/runs?user=*&limit=1', signal),
    views.includes('keys') && isAllowed(`/api/svc/auth/keys?user=${ANYONE}`, signal),
  ])
  known = { user, operator: { seesRuns, seesKeys } }
  return known.operator
}

async function isAllowed(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await runtime(path, { signal })
    return true
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 403 || error.status === 400)) return false
    throw error
  }
}
