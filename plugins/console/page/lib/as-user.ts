/**
 * Runs and API keys of another user, for an operator. The user is in the address (`user=`, `*` for all users of the
 * tenant), and the user of the shown run too (`of=`). Without them requests are about the user of the console's own
 * credential.
 */
import { query } from './router.ts'

/** The user whose runs and keys are shown: empty for the user of the credential, `*` for all. */
export function chosenUser(): string {
  return query.value.get('user') ?? ''
}

/** The path of a request to the runtime surface, with the user that it is about. */
export function forUser(path: string, method = 'GET'): string {
  const [route = '', parameters = ''] = path.split('?')
  // The body of a new key names its user.
  const user = method === 'POST' && route === '/api/svc/auth/keys' ? '' : userFor(route)
  if (user === '') return path
  const all = new URLSearchParams(parameters)
  // A list of all users is about no single one.
  if (!all.has('user') && !all.has('all')) all.set('user', user)
  return `${route}?${all}`
}

function userFor(route: string): string {
  const user = query.peek().get('user') ?? ''
  if (route === '/api/svc/runs') return user
  // All other routes are about one user.
  const one = user === '*' ? '' : user
  if (route.startsWith('/api/svc/runs/')) return query.peek().get('of') ?? one
  return route.startsWith('/api/svc/auth/keys') ? one : ''
}
