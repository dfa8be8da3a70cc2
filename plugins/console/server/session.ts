/** The data that the page reads at its start: what the service has, and what the page may do. */
import type { CommandIo } from '../../../core/declare/command.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { Manifest } from '../../../core/declare/manifest.ts'
import type { DeviceKey } from '../../protocol/sign/index.ts'
import type { CommandUsage, Device, Refusal, Session, ViewName } from '../session.ts'
import type { NodeStore } from './node-store.ts'
import { statusOf } from './proxy.ts'
import { readServiceBuild } from './service-build.ts'
import type { Surfaces } from './surfaces.ts'

/** The route that each view needs, and the surface of the route. */
const VIEWS: readonly { readonly view: ViewName; readonly surface: 'runtime' | 'local'; readonly path: string }[] = [
  { view: 'runs', surface: 'runtime', path: '/api/svc/runs' },
  { view: 'live', surface: 'runtime', path: '/api/live' },
  { view: 'boards', surface: 'local', path: '/api/v1/kbd/projects' },
  { view: 'pushes', surface: 'local', path: '/api/v2/sync/pushes' },
  { view: 'peers', surface: 'local', path: '/api/v1/peers' },
  { view: 'keys', surface: 'runtime', path: '/api/svc/auth/keys' },
  { view: 'audit', surface: 'local', path: '/api/v1/audit' },
]

/** The parts of a session. */
export interface SessionParts {
  readonly io: CommandIo
  readonly surfaces: Surfaces
  readonly store: NodeStore | undefined
  readonly key: DeviceKey | undefined
  readonly isWritable: boolean
  readonly isElsewhere: boolean
}

/** Creates the session from the present state. */
export async function createSession({
  io,
  surfaces,
  store,
  key,
  isWritable,
  isElsewhere,
}: SessionParts): Promise<Session> {
  const { manifest } = io
  const { runtime, local } = surfaces
  const hasRuntime = 'origin' in runtime
  const { devices, refusal } = await devicesOf(store)
  const service = await readServiceBuild(surfaces, manifest)
  // What the program of the console has says nothing about a service of another build.
  const isForeign = isElsewhere || service?.isSame === false
  return {
    program: { version: manifest.version, profile: manifest.profile, commit: manifest.commit ?? 'unknown' },
    service,
    isWritable,
    mayInvite: store?.invite !== undefined && io.setting('sync.remote') === true,
    device:
      key === undefined
        ? null
        : { keyId: key.keyId, label: devices.find(({ keyId }) => keyId === key.keyId)?.label ?? null },
    runtime: hasRuntime ? { origin: runtime.origin, ...runtime.credential.who() } : null,
    runtimeRefusal: hasRuntime ? null : runtime,
    local: local === undefined ? null : { socket: local.socket },
    storeRefusal: refusal,
    usages: usagesOf(io.commands),
    views: isForeign ? await viewsElsewhere(surfaces, store) : viewsOf(manifest, surfaces, store),
  }
}

async function devicesOf(
  store: NodeStore | undefined,
): Promise<{ readonly devices: readonly Device[]; readonly refusal: Refusal | null }> {
  try {
    return { devices: (await store?.devices())?.devices ?? [], refusal: null }
  } catch (error) {
    if (!isSvcError(error)) throw error
    const { code, message, hint } = error
    return { devices: [], refusal: { code, message, hint } }
  }
}

/** The views of the service of this program. */
function viewsOf(
  { routes }: Manifest,
  { runtime, local }: Surfaces,
  store: NodeStore | undefined,
): readonly ViewName[] {
  const reachable = { runtime: 'origin' in runtime, local: local !== undefined }
  const has = (surface: 'runtime' | 'local', path: string): boolean =>
    reachable[surface] && routes.some((route) => route.surface === surface && route.path === path)
  const views = VIEWS.filter(({ surface, path }) => has(surface, path)).map(({ view }) => view)
  const api = has('local', '/openapi.json') || has('runtime', '/openapi.json')
  return [
    'overview',
    ...views,
    ...(store === undefined ? [] : (['devices'] as const)),
    'build',
    ...(api ? (['api'] as const) : []),
  ]
}

/** The views of a service elsewhere, or of another build: those whose route does not answer with 404. */
async function viewsElsewhere(
  { runtime, local }: Surfaces,
  store: NodeStore | undefined,
): Promise<readonly ViewName[]> {
  const upstreams = { runtime: 'origin' in runtime ? runtime : undefined, local }
  const api = { view: 'api', surface: local === undefined ? 'runtime' : 'local', path: '/openapi.json' } as const
  const views = await Promise.all(
    [...VIEWS, api].map(async ({ view, surface, path }) => {
      const upstream = upstreams[surface]
      return upstream === undefined || (await statusOf(upstream, path)) === 404 ? [] : [view]
    }),
  )
  return ['overview', ...views.flat(), ...(store === undefined ? [] : (['devices', 'build'] as const))]
}

/** Each line of a usage, without the optional arguments on its further lines. */
function usagesOf(commands: CommandIo['commands']): readonly CommandUsage[] {
  return commands.flatMap(({ name, summary, help }) => {
    const [usage = ''] = help.split('\n\n', 1)
    const lines = usage
      .split('\n')
      .map((line) => line.replace(/^Usage:/, '').trim())
      .filter((line) => line.startsWith(`svc ${name}`))
    return (lines.length === 0 ? [`svc ${name}`] : lines).map((line) => ({ usage: line, summary }))
  })
}
