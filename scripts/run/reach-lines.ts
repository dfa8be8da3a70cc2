/** The lines that say how to reach a started service. */
import { relative } from 'node:path'
import type { Manifest } from '../../core/manifest.ts'

/** A started service. */
export interface Reached {
  /** Host and port. */
  readonly address: string
  /** The command of the service with its settings. */
  readonly launcher: string
  readonly manifest: Pick<Manifest, 'routes' | 'settings'>
}

/** The address, and a call with a token if the service takes tokens of its own secret. Both can be pasted into a shell in the current folder. */
export function reachLines({ address, launcher, manifest: { routes, settings } }: Reached): string[] {
  const has = (path: string): boolean => routes.some((route) => route.method === 'GET' && route.path === path)
  const svc = relative(process.cwd(), launcher)
  const authorized = ['/api/svc/runs', '/api/svc/auth/keys'].find(has)
  const probe = ['/readyz', '/health'].find(has) ?? '/'
  const token = `curl -H "Authorization: Bearer $(${svc} token --sub developer)" http://${address}${authorized}`
  return [
    `  address  http://${address}${probe}`,
    ...(authorized !== undefined && settings.includes('security.jwt_secret') ? [`  token    ${token}`] : []),
  ]
}
