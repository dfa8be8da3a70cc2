/**
 * The table of docs/authentication.md: who may call which route, from the routes and the `access` of their operations.
 */

import type { JsonSchema } from '../../core/declare/json-schema.ts'
import type { AccessSpec } from '../../core/declare/operation.ts'
import type { RouteSpec } from '../../core/http/route.ts'
import type { ReservedScope } from '../../plugins/auth/api.ts'
import { matrixFeatures } from '../build/plan/locate-feature.ts'
import { operationsOf, planVariants } from '../build/plan/plan-feature.ts'

/**
 * What a caller gets: the handler's answer, or a refusal because of who the caller is. 404: there is no such route
 * here.
 */
export type Cell = 'yes' | '401' | '403' | '404'

/** A column: one kind of caller. */
export interface Who {
  readonly title: string
  /** `socket` and `tcp`: a caller of the local surface. All others call the runtime surface. */
  readonly over?: 'socket' | 'tcp'
  /**
   * `none`: no credential. `anonymous`: the same, where `security.jwt_required` is false. `acting`: a token of the
   * exchange.
   */
  readonly credential: 'none' | 'anonymous' | 'user' | 'acting' | 'owner'
  /** The scopes of a user: these, or those that the row needs. */
  readonly scopes?: readonly string[] | 'needed'
  /** `security.delegation` is false. */
  readonly undelegated?: true
}

/** A row: a route, for the caller's own things or, with `others`, for those of another user. */
export interface AccessRow {
  readonly route: RouteSpec
  readonly access: AccessSpec
  readonly others: AccessSpec['others']
  /** All scopes that a caller needs. */
  readonly needs: readonly string[]
  readonly request: JsonSchema | undefined
}

const reserved: Readonly<Record<ReservedScope, true>> = {
  'svc:act': true,
  'svc:runs:read': true,
  'svc:runs:write': true,
  'svc:keys:manage': true,
  'svc:users:revoke': true,
}

/** Every reserved scope. */
const reservedScopes: readonly string[] = Object.keys(reserved)

/** The routes below it are the machine owner's, over the socket alone. */
const OWNERS = '/api/v1/admin/'

/** The columns by surface. */
export const callers: Readonly<Record<'runtime' | 'local', readonly Who[]>> = {
  runtime: [
    { title: 'no credential', credential: 'none' },
    { title: 'anonymous', credential: 'anonymous' },
    { title: 'user', credential: 'user', scopes: [] },
    ...reservedScopes.map((scope): Who => ({ title: `\`${scope}\``, credential: 'user', scopes: [scope] })),
    { title: 'what it needs', credential: 'user', scopes: 'needed' },
    { title: 'delegation off', credential: 'user', scopes: 'needed', undelegated: true },
    { title: 'acting token', credential: 'acting' },
    { title: 'owner of the machine', over: 'socket', credential: 'owner' },
  ],
  local: [
    { title: 'owner of the machine', over: 'socket', credential: 'owner' },
    { title: 'token, over TCP', over: 'tcp', credential: 'owner' },
    { title: 'no token, over TCP', over: 'tcp', credential: 'none' },
    { title: 'runtime: no credential', credential: 'none' },
    { title: 'runtime: anonymous', credential: 'anonymous' },
    { title: 'runtime: all reserved scopes', credential: 'user', scopes: reservedScopes },
    { title: 'runtime: acting token', credential: 'acting' },
  ],
}

/** The rows of a surface by path. The routes of another user's things follow those of the caller's own. */
export async function accessRows(surface: 'runtime' | 'local'): Promise<readonly AccessRow[]> {
  const rows = new Map<string, AccessRow[]>()
  for (const [id, feature] of Object.entries(matrixFeatures)) {
    const operations = operationsOf(feature)
    for (const { plugin } of planVariants(id, feature))
      for (const route of plugin?.routes ?? []) {
        if (route.surface !== surface) continue
        const { access = {}, request, parameters = [] } = operations[`${surface} ${route.method} ${route.path}`] ?? {}
        if (surface === 'runtime' && access.others === undefined && parameters.some(({ name }) => name === 'user'))
          throw new Error(`${nameOf(route)} has the parameter user, and no \`access.others\` with its scopes`)
        const row = (others?: AccessSpec['others']): AccessRow => ({
          route,
          access,
          others,
          needs: [...(access.scopes ?? []), ...(others?.scopes ?? [])],
          request,
        })
        rows.set(`${route.path} ${route.method}`, [row(), ...(access.others ? [row(access.others)] : [])])
      }
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, list]) => list)
}

/** What a caller gets, as the declarations say. `every` are the rows of both surfaces. */
function cellOf(row: AccessRow, who: Who, every: readonly AccessRow[]): Cell {
  const surface = who.over === undefined ? 'runtime' : 'local'
  if (row.route.surface === surface) return surface === 'local' ? localCell(row, who) : runtimeCell(row, who)
  const same = every.find(({ route }) => route.surface === surface && nameOf(route) === nameOf(row.route))
  if (same !== undefined) return cellOf(same, who, every)
  // The runtime surface authenticates before it looks for a route.
  return surface === 'runtime' && who.credential === 'none' ? '401' : '404'
}

function localCell({ route, access }: AccessRow, { over, credential }: Who): Cell {
  if (over === 'socket') return 'yes'
  if (credential === 'none') return '401'
  return access.transport === 'unix' || route.path.startsWith(OWNERS) ? '403' : 'yes'
}

function runtimeCell({ route, access, needs }: AccessRow, { credential, scopes = [], undelegated }: Who): Cell {
  if (route.auth === 'none') return 'yes'
  if (credential === 'none') return '401'
  if (access.transport === 'unix') return '403'
  if (access.credential === 'key' && credential !== 'user') return '401'
  if (credential === 'anonymous' && access.anonymous === false) return '403'
  if (credential === 'acting' && access.acting === false) return '403'
  const has = (scope: string): boolean =>
    credential === 'user' && (scopes === 'needed' || scopes.includes(scope)) && !(undelegated && isReserved(scope))
  return needs.every(has) ? 'yes' : '403'
}

const isReserved = (scope: string): boolean => reservedScopes.includes(scope)

const nameOf = ({ method, path }: RouteSpec): string => `${method} ${path}`

/** The name of a row: ``GET /api/svc/runs?user=``, or ``POST /api/svc/auth/keys` with `user_id``. */
export function rowName({ route, others }: AccessRow): string {
  const path = `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`
  if (others?.in === 'body') return `\`${path}\` with \`${others.name}\``
  return `\`${path}${others === undefined ? '' : `?${others.name}=`}\``
}

/** One line of the table. */
export function rowLine(row: AccessRow, cells: readonly Cell[]): string {
  const needs = row.route.surface === 'local' ? [] : [row.needs.map((scope) => `\`${scope}\``).join(', ')]
  return `| ${[rowName(row), ...needs, ...cells].join(' | ')} |`
}

/** The table of a surface. */
export async function accessTable(surface: 'runtime' | 'local'): Promise<readonly string[]> {
  const every = [...(await accessRows('runtime')), ...(await accessRows('local'))]
  const titles = ['route', ...(surface === 'runtime' ? ['needs'] : []), ...callers[surface].map(({ title }) => title)]
  return [
    `| ${titles.join(' | ')} |`,
    `|${'---|'.repeat(titles.length)}`,
    ...every
      .filter(({ route }) => route.surface === surface)
      .map((row) =>
        rowLine(
          row,
          callers[surface].map((who) => cellOf(row, who, every)),
        ),
      ),
  ]
}
