import { httpFail } from '../../../core/catalogue.ts'
import { documented } from '../../../core/documented.ts'
import type { SvcError } from '../../../core/errors.ts'
import { parseJson, refuseOtherMembers } from '../../../core/http/body/json-body.ts'
import { pathParam } from '../../../core/http/path-param.ts'
import { json } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { isObject } from '../../../core/is-object.ts'
import { later } from '../../../core/later.ts'
import { definePlugin, type Plugin, type PluginContext } from '../../../core/plugin.ts'
import type {} from '../../auth/capabilities.ts'
import type { RunRecord, SnapshotEntry, TopicSnapshot } from '../api.ts'
import type {} from '../capabilities.ts'
import { runFail } from '../errors.ts'
import { largeJson } from '../large-json.ts'
import { ownNames } from '../own-names.ts'
import { createTurn, soon } from '../streams/soon.ts'
import { type ActingRuns, createActingRuns } from './acting-runs.ts'
import { WrittenRuns } from './agent-runs.ts'
import { cancelRun } from './cancel-run.ts'
import type { RunIds } from './ids.ts'
import type { RunManagerOptions } from './manager.ts'
import { readRunsQuery, readThreadId } from './pages.ts'
import type { OwnRuns } from './runs.ts'
import { runSettings } from './settings.ts'
import { Threads } from './threads/threads.ts'
import { createWhose, type Whose } from './whose.ts'

declare const __CLUSTER_NATS__: boolean
declare const __REALTIME_AGENTS__: boolean
declare const __REALTIME_RUNS_SQLITE__: boolean

const runs = '/api/svc/runs'
const surface = 'runtime'
const body = { type: 'application/json' }
const create: RouteSpec = {
  surface,
  method: 'POST',
  path: runs,
  body: { ...body, maxBytes: 65_536, optional: true },
  summary: documented('Opens a run of the caller.'),
}
const list: RouteSpec = {
  surface,
  method: 'GET',
  path: runs,
  summary: documented('The runs of the caller, newest first, also in pages.'),
}
const one: RouteSpec = {
  surface,
  method: 'GET',
  path: `${runs}/:run_id`,
  summary: documented('One run of the caller.'),
}
const append: RouteSpec = {
  surface,
  method: 'POST',
  path: `${runs}/:run_id/events`,
  body: { ...body, json: largeJson },
  summary: documented('Appends an AG-UI event, or a list of them, to a run of the caller: all or none.'),
}
const stream: RouteSpec = {
  surface,
  method: 'GET',
  path: `${runs}/:run_id/stream`,
  exposes: ['svc-last-event-id'],
  summary: documented('Server-sent events of a run of the caller: those retained after the cursor, then live ones.'),
}
const thread: RouteSpec = {
  surface,
  method: 'GET',
  path: '/api/svc/threads/:thread_id/stream',
  exposes: ['svc-last-event-id'],
  summary: documented(
    'Server-sent events of the runs of a thread of the caller, one after another, also of those to come.',
  ),
}
const cancel: RouteSpec = {
  surface,
  method: 'POST',
  path: `${runs}/:run_id/cancel`,
  summary: documented('Ends a run of the caller as cancelled. A run that has ended stays as it is.'),
}

/** The runs of this process: endpoints, streams, and the capability. */
export const plugin: Plugin = definePlugin({
  name: 'realtime.runs',
  feature: 'realtime.runs',
  requires: ['Streams'],
  wants: ['Delegation', 'Live', 'RunStore'],
  provides: ['Runs', 'AgentRuns'],
  routes: [create, list, one, append, stream, thread, cancel],
  errors: runFail,
  settings: runSettings,
  async setup({ settings, clock, random, ...ctx }) {
    const live = ctx.find('Live')
    const written =
      typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__
        ? new WrittenRuns(() => running, clock)
        : undefined
    // This code is a third of a library. If a library has several files, it is one of them and is loaded during the start.
    const { createRuns } = await later(() => import('./runs.ts'))()
    const threads = new Threads()
    const numbers = ownNames(settings)
    const delegation = ctx.find('Delegation')
    const acting = createActingRuns(delegation, numbers)
    const options: RunManagerOptions = {
      clock,
      randomBytes: random.bytes,
      soon,
      turn: createTurn(clock),
      ...numbers,
      onChange: (operation, record) => {
        if (operation === 'insert') threads.began(record)
        else {
          written?.over(record)
          acting.over(record)
        }
        const { tenant_id: tenant, user_id: user } = record.owner
        // Sent to the owner alone: other users of the tenant must not learn that the run exists.
        live?.publish({ tenant, user }, { topic: 'runs', identifier: record.run_id, operation, data: record })
      },
    }
    const own = createRuns(ctx.use('Streams'), ctx.log, options, threads, written)
    let running: OwnRuns = own
    let snapshot: TopicSnapshot = ({ tenant, user }) => entries(own.manager.list({ user_id: user, tenant_id: tenant }))
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__ || __REALTIME_RUNS_SQLITE__) {
      const store = ctx.find('RunStore')
      if (store !== undefined) {
        const { createSharedRuns } = await later(() => import('./shared/runs.ts'))()
        const shared = createSharedRuns(ctx.use('Streams'), ctx.log, options, store, threads, written)
        running = shared
        snapshot = async ({ tenant, user }, mark) =>
          entries(await shared.manager.snapshot({ user_id: user, tenant_id: tenant }, mark))
      }
    }
    // Every node gets the changes from the store, and sends them to its own readers.
    live?.enroll('runs', snapshot, { local: true })
    const { manager } = running
    ctx.provide('Runs', manager)
    ctx.provide('AgentRuns', written)
    ctx.onStop(() => manager.close())

    const whose = createWhose(delegation)
    bindRoutes(ctx, { manager, written, whose, acting, clock })
    bindStreams(ctx, running, whose)
  },
})

/** Answers the requests of callers. */
function bindRoutes(
  { route }: Pick<PluginContext, 'route'>,
  {
    manager,
    written,
    whose,
    acting,
    clock,
  }: Pick<OwnRuns, 'manager'> & {
    readonly written: WrittenRuns | undefined
    readonly whose: Whose
    readonly acting: ActingRuns
    readonly clock: RunManagerOptions['clock']
  },
): void {
  route(create, async (request) => {
    if (request.identity.kind === 'anonymous')
      throw httpFail('forbidden', { message: 'An anonymous caller owns no runs.' })
    const owner = whose.owner(request, 'svc:runs:write')
    const wish = wishes(await request.body())
    const record = await acting.create(request.identity, async () => manager.create(owner, wish))
    const { run_id } = record
    whose.record(request, 'A run of a user is created.', owner, run_id)
    const user = owner.user_id ?? ''
    const query = user === request.identity.user ? '' : `?${new URLSearchParams({ user })}`
    return json(201, record, { location: `${runs}/${encodeURIComponent(run_id)}${query}` })
  })
  route(list, async (request) => {
    const owners = whose.owners(request)
    const page = await manager.page(owners, readRunsQuery(request, owners.user_id !== undefined))
    whose.record(request, 'The runs of a user are listed.', owners)
    return json(200, page)
  })
  route(one, async (request) => {
    const owner = whose.owner(request, 'svc:runs:read')
    const id = idOf(request)
    const record = (await manager.get(owner, id)) ?? notFound()
    whose.record(request, 'A run of a user is read.', owner, id)
    return json(200, record)
  })
  route(append, async (request) => {
    // Checked before the body is read, so that a caller who may not append cannot make the service read a megabyte.
    const [owner, id] = [whose.owner(request, 'svc:runs:write'), idOf(request)]
    const begunAt = clock.monotonic()
    await manager.admit(owner, id, 0, begunAt)
    if (written?.isHeld(owner, id)) throw runFail('run_event_order', { message: 'Its agent appends to this run now.' })
    const readAt = clock.monotonic()
    const bytes = await request.body()
    // The time that the caller takes to send the body does not count.
    const since = begunAt + (clock.monotonic() - readAt)
    await manager.admit(owner, id, bytes.length, since)
    const given = parseJson(bytes)
    const events = Array.isArray(given) ? given : [given]
    const record = await manager.append(
      owner,
      id,
      events,
      request.header('if-match'),
      since,
      // Only in a cluster does the trace go on elsewhere.
      ...(typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__ ? ([request.trace] as const) : []),
    )
    whose.record(request, 'Events are appended to a run of a user.', owner, id)
    return json(200, record)
  })
  route(cancel, async (request) => {
    const [owner, id] = [whose.owner(request, 'svc:runs:write'), idOf(request)]
    const record = await cancelRun(manager, owner, id)
    whose.record(request, 'A run of a user is cancelled.', owner, id)
    return json(200, record)
  })
}

/** Answers the requests for streams. */
function bindStreams({ route }: Pick<PluginContext, 'route'>, { open, openThread }: OwnRuns, whose: Whose): void {
  route(stream, async (request) => {
    const [owner, id] = [whose.owner(request, 'svc:runs:read'), idOf(request)]
    const reply = await open(request, owner, id)
    whose.record(request, 'The stream of a run of a user is opened.', owner, id)
    return reply
  })
  route(thread, async (request) => {
    const [owner, id] = [whose.owner(request, 'svc:runs:read'), readThreadId(pathParam(request, 'thread_id'))]
    const reply = await openThread(request, owner, id)
    whose.record(request, 'The stream of a thread of a user is opened.', owner)
    return reply
  })
}

function entries(records: readonly RunRecord[]): readonly SnapshotEntry[] {
  return records.map((record) => ({ identifier: record.run_id, data: record }))
}

function wishes(bytes: Uint8Array): Partial<RunIds> {
  if (bytes.length === 0) return {}
  const given = parseJson(bytes)
  if (!isObject(given)) throw noWishes()
  refuseOtherMembers(given, ['run_id', 'thread_id'])
  const { run_id, thread_id } = given
  for (const id of [run_id, thread_id]) if (id !== undefined && typeof id !== 'string') throw noWishes()
  return { run_id, thread_id } as Partial<RunIds>
}

function noWishes(): SvcError {
  return httpFail('malformed_request', { message: 'The body is an object: run_id, thread_id.' })
}

function idOf(request: SvcRequest): string {
  return pathParam(request, 'run_id')
}

function notFound(): never {
  throw httpFail('not_found', { message: 'No such run.' })
}
