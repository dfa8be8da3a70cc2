/** Shapes, parameters and access of the routes of runs, for the documentation. */
import { closed, type JsonSchema } from '../../../core/declare/json-schema.ts'
import type { AccessSpec, ParameterSpec } from '../../../core/declare/operation.ts'

const TEXT: JsonSchema = { type: 'string' }
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] }
const statusSchema: JsonSchema = { enum: ['running', 'finished', 'failed', 'cancelled'] }
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

const page: Readonly<Record<string, JsonSchema>> = {
  runs: { type: 'array', items: runSchema },
  next: { ...TEXT_OR_NULL, description: 'The `before` of the next page; null at the end.' },
}

/** A page of runs. */
export const runsSchema: JsonSchema = closed('Runs', page)

/** A page of runs, and on request the number of those that a list cannot have any more. */
export const listedSchema: JsonSchema = {
  ...closed('ListedRuns', page),
  properties: {
    ...page,
    removed: closed('RemovedRuns', {
      count: { ...COUNT, description: 'Runs that this process has removed, or has seen removed.' },
      since_ms: {
        type: 'integer',
        description:
          'Unix time in milliseconds since when they are counted. How many were removed before is not known.',
      },
    }),
  },
}

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

/** The body that opens a run. */
export const runWish: JsonSchema = {
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
/** Whose run is read. */
export const readOf: ParameterSpec = ofUser('svc:runs:read')
/** Whose run is changed. */
export const writeOf: ParameterSpec = ofUser('svc:runs:write')
/** Whose runs are listed. */
export const anyUser: ParameterSpec = ofUser('svc:runs:read', ' `*`: all users of the tenant.')

const toOthers = (scope: string): AccessSpec => ({ others: { in: 'query', name: 'user', scopes: [scope] } })
/** Who may read. */
export const reading: AccessSpec = toOthers('svc:runs:read')
/** Who may change. */
export const writing: AccessSpec = toOthers('svc:runs:write')

/** Where a stream begins. */
export const cursor: readonly ParameterSpec[] = [
  { name: 'last_event_id', in: 'query', description: 'Position to go on from.', schema: TEXT },
  { name: 'Last-Event-ID', in: 'header', description: 'The same; wins over the query.', schema: TEXT },
]
