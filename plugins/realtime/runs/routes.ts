/**
 * The routes of runs and threads. A caller has its own runs; with delegation, those of other users of its tenant too.
 */

import { described } from '../../../core/declare/described.ts'
import type { SvcError } from '../../../core/declare/errors.ts'
import { eventStream, refusal, retryAfter } from '../../../core/declare/operation.ts'
import type { RouteMaker, RouteValue } from '../../../core/declare/route.ts'
import { parseJson, refuseOtherMembers } from '../../../core/http/json-body.ts'
import { readWord } from '../../../core/http/query.ts'
import { json } from '../../../core/http/reply.ts'
import { pathParam, type SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import { isObject } from '../../../core/kernel/values.ts'
import { noRun, runFail } from '../errors.ts'
import { largeJson } from '../json-size.ts'
import { limited } from '../operation-parts.ts'
import type { ActingRuns } from './acting-runs.ts'
import type { WrittenRuns } from './agent-runs.ts'
import { cancelRun } from './cancel-run.ts'
import type { RunIds } from './ids.ts'
import type { OwnRuns } from './own-runs.ts'
import { readRunsQuery, readThreadId } from './pages.ts'
import type { RemovedRuns } from './removed-runs.ts'
import {
  anyUser,
  beforeParameter,
  cursor,
  filters,
  listedSchema,
  reading,
  readOf,
  runSchema,
  runWish,
  writeOf,
  writing,
} from './schemas.ts'
import type { Whose } from './whose.ts'

/** What the handlers use. */
export interface RunsState extends Pick<OwnRuns, 'manager' | 'open' | 'openThread'> {
  readonly acting: ActingRuns
  readonly clock: Clock
  readonly removed: RemovedRuns
  readonly whose: Whose
  /** The runs that agents write; undefined in a profile without `realtime.agents`. */
  readonly written: WrittenRuns | undefined
}

type RunRoute = (route: RouteMaker<RunsState>) => RouteValue<RunsState>

const createRun: RunRoute = (route) =>
  route('POST /api/svc/runs', {
    about: described({
      id: 'createRun',
      summary: 'Opens a run of the caller.',
      access: { ...writing, anonymous: false },
      parameters: [writeOf],
      request: runWish,
      answers: {
        201: { description: 'The new run.', schema: runSchema, headers: { Location: 'Path of the run.' } },
        409: refusal('run_exists'),
        ...limited,
      },
    }),
    body: { type: 'application/json', maxBytes: 65_536, optional: true },
    async handler({ request }, { acting, manager, whose }) {
      if (request.identity.kind === 'anonymous')
        throw httpFail('forbidden', { message: 'An anonymous caller owns no runs.' })
      const owner = whose.owner(request, 'svc:runs:write')
      const wish = wishes(await request.body())
      const record = await acting.create(request.identity, async () => manager.create(owner, wish))
      const { run_id } = record
      whose.record(request, 'A run of a user is created.', owner, run_id)
      const user = owner.user_id ?? ''
      const query = user === request.identity.user ? '' : `?${new URLSearchParams({ user })}`
      return json(201, record, { location: `/api/svc/runs/${encodeURIComponent(run_id)}${query}` })
    },
  })

const listRuns: RunRoute = (route) =>
  route('GET /api/svc/runs', {
    about: described({
      id: 'listRuns',
      summary: 'The runs of the caller, newest first, also in pages.',
      access: reading,
      parameters: [
        anyUser,
        ...filters,
        {
          name: 'limit',
          in: 'query',
          description:
            'Most runs of the page; 100 if it is absent and `before` or `user=*` is given. Without `limit`, `before` and `user=*` the answer has all runs.',
          schema: { type: 'integer', minimum: 1, maximum: 200 },
        },
        beforeParameter,
        {
          name: 'removed',
          in: 'query',
          description: 'Adds how many runs were removed, and since when they are counted.',
          schema: { type: 'string', enum: ['true'] },
        },
      ],
      answers: {
        200: {
          description: 'The runs of the caller, newest first.',
          schema: listedSchema,
        },
        400: refusal('malformed_request'),
        403: refusal('forbidden'),
      },
    }),
    async handler({ request }, { manager, removed, whose }) {
      const owners = whose.owners(request)
      const hasRemoved = readWord(request, 'removed', ['true']) !== undefined
      const page = await manager.page(owners, readRunsQuery(request, owners.user_id !== undefined))
      whose.record(request, 'The runs of a user are listed.', owners)
      return json(200, hasRemoved ? { ...page, removed: removed.of(owners) } : page)
    },
  })

const getRun: RunRoute = (route) =>
  route('GET /api/svc/runs/:run_id', {
    about: described({
      id: 'run',
      summary: 'One run of the caller.',
      access: reading,
      parameters: [readOf],
      answers: {
        200: { description: 'The run.', schema: runSchema },
        400: refusal('malformed_request'),
        403: refusal('forbidden'),
        404: refusal('not_found'),
      },
    }),
    async handler({ request }, { manager, whose }) {
      const owner = whose.owner(request, 'svc:runs:read')
      const id = idOf(request)
      const record = await manager.get(owner, id)
      if (record === undefined) throw noRun()
      whose.record(request, 'A run of a user is read.', owner, id)
      return json(200, record)
    },
  })

const appendEvents: RunRoute = (route) =>
  route('POST /api/svc/runs/:run_id/events', {
    about: described({
      id: 'appendRunEvents',
      summary: 'Appends an AG-UI event, or a list of them, to a run of the caller: all or none.',
      access: writing,
      parameters: [
        writeOf,
        {
          name: 'If-Match',
          in: 'header',
          description:
            'Position that the events must follow, `"<epoch>-<seq>"`. If the same events already follow that position, nothing is appended, so a caller can send them again after a lost answer.',
          schema: { type: 'string' },
        },
      ],
      request: {
        description: 'One AG-UI 1.0 event, or a list of them.',
        anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
      },
      answers: {
        200: { description: 'The run after them.', schema: runSchema },
        403: refusal('forbidden'),
        404: refusal('not_found'),
        409: refusal('run_event_order'),
        412: refusal('run_position_mismatch'),
        503: { ...refusal('overloaded'), headers: retryAfter },
        504: refusal('append_unknown'),
      },
    }),
    body: { type: 'application/json', json: largeJson },
    async handler({ request }, { clock, manager, whose, written }) {
      // Checked before the body is read, so that a caller who may not append cannot make the service read a megabyte.
      const [owner, id] = [whose.owner(request, 'svc:runs:write'), idOf(request)]
      const begunAt = clock.monotonic()
      await manager.admit(owner, id, 0, begunAt)
      if (written?.isHeld(owner, id))
        throw runFail('run_event_order', { message: 'Its agent appends to this run now.' })
      const readAt = clock.monotonic()
      const bytes = await request.body()
      // The time that the caller takes to send the body does not count.
      const since = begunAt + (clock.monotonic() - readAt)
      await manager.admit(owner, id, bytes.length, since)
      const value = parseJson(bytes)
      const events = Array.isArray(value) ? value : [value]
      const record = await manager.append(owner, id, events, request.header('if-match'), since, request.trace)
      whose.record(request, 'Events are appended to a run of a user.', owner, id)
      return json(200, record)
    },
  })

const streamRun: RunRoute = (route) =>
  route('GET /api/svc/runs/:run_id/stream', {
    about: described({
      id: 'runStream',
      summary: 'Server-sent events of a run of the caller: those retained after the cursor, then live ones.',
      access: reading,
      parameters: [
        readOf,
        ...cursor,
        {
          name: 'stream_mode',
          in: 'query',
          description: 'With `agui_spec` a prelude makes any position a valid beginning.',
          schema: { type: 'string', enum: ['agui_spec'] },
        },
        {
          name: 'times',
          in: 'query',
          description:
            'With `true` each event has a field `at` behind its id: the Unix time in milliseconds at which the service got the event.',
          schema: { type: 'string', enum: ['true'] },
        },
      ],
      answers: {
        200: {
          ...eventStream('AG-UI events with their positions as ids.'),
          headers: { 'Svc-Last-Event-Id': 'Where history was lost: the position before the first event.' },
        },
        204: { description: 'The run has ended, and the reader is at its end.' },
        400: refusal('malformed_request'),
        403: refusal('forbidden'),
        404: refusal('not_found'),
        ...limited,
      },
    }),
    exposes: ['svc-last-event-id'],
    async handler({ request }, { open, whose }) {
      const [owner, id] = [whose.owner(request, 'svc:runs:read'), idOf(request)]
      const reply = await open(request, owner, id)
      whose.record(request, 'The stream of a run of a user is opened.', owner, id)
      return reply
    },
  })

const streamThread: RunRoute = (route) =>
  route('GET /api/svc/threads/:thread_id/stream', {
    about: described({
      id: 'threadStream',
      summary: 'Server-sent events of the runs of a thread of the caller, one after another, also of those to come.',
      access: reading,
      parameters: [readOf, ...cursor],
      answers: {
        200: {
          ...eventStream(
            'The newest run with a prelude, or what follows the position; then every further run of the thread.',
          ),
          headers: { 'Svc-Last-Event-Id': 'Where history was lost: the position before the first event.' },
        },
        400: refusal('malformed_request'),
        403: refusal('forbidden'),
        ...limited,
      },
    }),
    exposes: ['svc-last-event-id'],
    async handler({ request }, { openThread, whose }) {
      const [owner, id] = [whose.owner(request, 'svc:runs:read'), readThreadId(pathParam(request, 'thread_id'))]
      const reply = await openThread(request, owner, id)
      whose.record(request, 'The stream of a thread of a user is opened.', owner)
      return reply
    },
  })

const endRun: RunRoute = (route) =>
  route('POST /api/svc/runs/:run_id/cancel', {
    about: described({
      id: 'cancelRun',
      summary: 'Ends a run of the caller as cancelled. A run that has ended stays as it is.',
      access: writing,
      parameters: [writeOf],
      answers: {
        200: { description: 'The run, which has ended.', schema: runSchema },
        400: refusal('malformed_request'),
        403: refusal('forbidden'),
        404: refusal('not_found'),
        503: { ...refusal('overloaded'), headers: retryAfter },
        504: refusal('append_unknown'),
      },
    }),
    async handler({ request }, { manager, whose }) {
      const [owner, id] = [whose.owner(request, 'svc:runs:write'), idOf(request)]
      const record = await cancelRun(manager, owner, id)
      whose.record(request, 'A run of a user is cancelled.', owner, id)
      return json(200, record)
    },
  })

/** The routes of `realtime.runs`. */
export function runRoutes(route: RouteMaker<RunsState>): readonly RouteValue<RunsState>[] {
  return [createRun, listRuns, getRun, appendEvents, streamRun, streamThread, endRun].map((one) => one(route))
}

function wishes(bytes: Uint8Array): Partial<RunIds> {
  if (bytes.length === 0) return {}
  const value = parseJson(bytes)
  if (!isObject(value)) throw noWishes()
  refuseOtherMembers(value, ['run_id', 'thread_id'])
  const { run_id, thread_id } = value
  for (const id of [run_id, thread_id]) if (id !== undefined && typeof id !== 'string') throw noWishes()
  return { run_id, thread_id } as Partial<RunIds>
}

function noWishes(): SvcError {
  return httpFail('malformed_request', { message: 'The body is an object: run_id, thread_id.' })
}

function idOf(request: SvcRequest): string {
  return pathParam(request, 'run_id')
}
