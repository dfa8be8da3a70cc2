/** The OpenAPI part of `realtime.runs`. */
import { closed, type JsonSchema } from '../../../core/json-schema.ts'
import {
  type AccessSpec,
  eventStream,
  type Operations,
  type ParameterSpec,
  refusal,
  retryAfter,
} from '../../../core/operation.ts'
import { limited } from '../operation-parts.ts'

const TEXT: JsonSchema = { type: 'string' }
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] }
/** The status of a run. */
export const statusSchema: JsonSchema = { enum: ['running', 'finished', 'failed', 'cancelled'] }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }

const errorSchema: JsonSchema = {
  ...closed('RunError', { code: TEXT_OR_NULL, message: TEXT }),
  description: 'Why the run failed: the code and the beginning of the message of its RUN_ERROR.',
}

/** A run, as every route answers it. */
export const runSchema: JsonSchema = closed('Run', {
  run_id: TEXT,
  thread_id: TEXT,
  owner: closed('RunOwner', { user_id: TEXT_OR_NULL, tenant_id: TEXT_OR_NULL }),
  status: statusSchema,
  created_at_ms: { type: 'integer' },
  ended_at_ms: { type: ['integer', 'null'] },
  first_seq: COUNT,
  last_seq: COUNT,
  epoch: TEXT,
  agent: { ...TEXT_OR_NULL, description: 'The agent whose answer the run is; null for a run of appends.' },
  error: { anyOf: [errorSchema, { type: 'null' }] },
})

/** A page of runs. */
export const runsSchema: JsonSchema = closed('Runs', {
  runs: { type: 'array', items: runSchema },
  next: { ...TEXT_OR_NULL, description: 'The `before` of the next page; null at the end.' },
})

/** The filters of a list of runs. */
export const filters: readonly ParameterSpec[] = [
  { name: 'status', in: 'query', description: 'Runs with this status.', schema: statusSchema },
  { name: 'thread_id', in: 'query', description: 'Runs of this thread.', schema: TEXT },
]
/** The cursor of a list of runs. */
export const beforeParameter: ParameterSpec = {
  name: 'before',
  in: 'query',
  description: 'The `next` of an earlier page.',
  schema: TEXT,
}

const runWish: JsonSchema = {
  title: 'RunWish',
  type: 'object',
  properties: { run_id: TEXT, thread_id: TEXT },
}

const ofUser = (scope: string, more = ''): ParameterSpec => ({
  name: 'user',
  in: 'query',
  description: `Another user of the tenant; with the scope \`${scope}\`, where \`security.delegation\` is true.${more}`,
  schema: TEXT,
})
const readOf = ofUser('svc:runs:read')
const writeOf = ofUser('svc:runs:write')

const toOthers = (scope: string): AccessSpec => ({ others: { in: 'query', name: 'user', scopes: [scope] } })
const reading = toOthers('svc:runs:read')
const writing = toOthers('svc:runs:write')

const cursor: readonly ParameterSpec[] = [
  { name: 'last_event_id', in: 'query', description: 'Position to go on from.', schema: TEXT },
  { name: 'Last-Event-ID', in: 'header', description: 'The same; wins over the query.', schema: TEXT },
]

/** By surface, method and path. */
export const operations: Operations = {
  'runtime POST /api/svc/runs': {
    id: 'createRun',
    access: { ...writing, anonymous: false },
    parameters: [writeOf],
    request: runWish,
    answers: {
      201: { description: 'The new run.', schema: runSchema, headers: { Location: 'Path of the run.' } },
      409: refusal('run_exists'),
      ...limited,
    },
  },
  'runtime GET /api/svc/runs': {
    id: 'listRuns',
    access: reading,
    parameters: [
      ofUser('svc:runs:read', ' `*`: all users of the tenant.'),
      ...filters,
      {
        name: 'limit',
        in: 'query',
        description: 'Most runs of the page; 100 with `before` or `user=*` alone. Without all three the list is whole.',
        schema: { type: 'integer', minimum: 1, maximum: 200 },
      },
      beforeParameter,
    ],
    answers: {
      200: {
        description: 'The runs of the caller, newest first.',
        schema: runsSchema,
      },
      400: refusal('malformed_request'),
      403: refusal('forbidden'),
    },
  },
  'runtime GET /api/svc/runs/:run_id': {
    id: 'run',
    access: reading,
    parameters: [readOf],
    answers: {
      200: { description: 'The run.', schema: runSchema },
      400: refusal('malformed_request'),
      403: refusal('forbidden'),
      404: refusal('not_found'),
    },
  },
  'runtime POST /api/svc/runs/:run_id/events': {
    id: 'appendRunEvents',
    access: writing,
    parameters: [
      writeOf,
      {
        name: 'If-Match',
        in: 'header',
        description:
          'Position that the events are to follow, `"<epoch>-<seq>"`. Where they stand behind it already, nothing is done: so they can be sent again when nobody knows what became of them.',
        schema: TEXT,
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
  },
  'runtime POST /api/svc/runs/:run_id/cancel': {
    id: 'cancelRun',
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
  },
  'runtime GET /api/svc/runs/:run_id/stream': {
    id: 'runStream',
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
  },
  'runtime GET /api/svc/threads/:thread_id/stream': {
    id: 'threadStream',
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
  },
}
