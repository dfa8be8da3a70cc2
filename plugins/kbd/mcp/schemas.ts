/** The shapes of what tools take and give, as JSON Schema. */
import type { JsonSchema, JsonType } from '../../../core/json-schema.ts'

/** A JSON Schema of an object, as MCP wants the roots of inputs and outputs. */
export type ObjectSchema = JsonSchema & { readonly type: 'object' }

/** Names are found by their beginning; no title or id is longer. */
const NAME_BYTES = 1_024
/** As the engine has it for leases. */
const LEASE_SECONDS = { min: 10, max: 86_400, otherwise: 900 } as const
/** Of a text beside a card; the service has the last word, in bytes. */
const TEXT_LENGTH = 262_144
/** Of what one call reports. */
const MAX_EVENTS = 1_000

type Schemas<Name extends string> = Readonly<Record<Name, JsonSchema>>

const TEXT: JsonSchema = { type: 'string' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const TIME: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }
const NAMED: JsonSchema = { type: 'string', minLength: 1, maxLength: NAME_BYTES }
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type as JsonType, 'null'] })
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
})

/** What a tool takes: closed, with the members that must be there. */
export function takes(required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return { type: 'object', required, additionalProperties: false, properties }
}

/** What a tool gives: all of these members, or an error. */
export function gives(properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return {
    type: 'object',
    properties: { ...properties, error: ERROR },
    oneOf: [{ required: Object.keys(properties) }, { required: ['error'] }],
  }
}

const ERROR: JsonSchema = {
  type: 'object',
  description: 'Why nothing was done; some codes bring members of their own, such as `holder`.',
  required: ['code', 'message', 'hint'],
  properties: { code: TEXT, message: TEXT, hint: TEXT },
}

/** Members of inputs. */
export const inputs: Schemas<
  | 'board'
  | 'card'
  | 'column'
  | 'title'
  | 'text'
  | 'labels'
  | 'lease'
  | 'agent'
  | 'runId'
  | 'state'
  | 'events'
  | 'cursor'
> = {
  board: { ...NAMED, description: 'A board: its id or title, or the beginning of either.' },
  card: { ...NAMED, description: 'A card: its id or title, or the beginning of either.' },
  column: { ...NAMED, description: 'A column: its id or title, or the beginning of either.' },
  title: { type: 'string', minLength: 1, maxLength: NAME_BYTES },
  cursor: { ...NAMED, description: 'The `nextCursor` of the page before.' },
  text: { type: 'string', minLength: 1, maxLength: TEXT_LENGTH },
  labels: { type: 'array', maxItems: 16, items: { type: 'string', minLength: 1, maxLength: 64 } },
  lease: {
    type: 'integer',
    minimum: LEASE_SECONDS.min,
    maximum: LEASE_SECONDS.max,
    default: LEASE_SECONDS.otherwise,
    description: 'How long the claim holds from now on, in seconds. Renew it before it ends.',
  },
  agent: { type: 'string', minLength: 1, maxLength: 64, description: 'The name that the claim bears.' },
  runId: { type: 'string', minLength: 1, maxLength: 256, description: 'The run; a new one where absent.' },
  state: { enum: ['started', 'step', 'message', 'finished', 'failed'] },
  events: {
    type: 'array',
    maxItems: MAX_EVENTS,
    items: { type: 'object' },
    description: 'Events of AG-UI, as they are.',
  },
}

/** The lease where none is asked for, in seconds. */
export const DEFAULT_LEASE_SECONDS: number = LEASE_SECONDS.otherwise

const claim = object({
  claimId: TEXT,
  cardId: TEXT,
  generation: { type: 'integer', minimum: 1, description: 'With `claimId` the fencing token.' },
  agent: orNull(TEXT),
  deviceId: TEXT,
  expiresAtMs: TIME,
  mine: { type: 'boolean', description: 'Whether it is of the device that this server signs with.' },
})
const holder = orNull(claim)
const cardMembers = {
  cardId: TEXT,
  title: orNull(TEXT),
  labels: listOf(TEXT),
  assignee: orNull(TEXT),
  priority: orNull({ type: 'integer' }),
  holder,
  conflicts: listOf(TEXT),
}
const columnMembers = { columnId: TEXT, title: orNull(TEXT), wipLimit: orNull({ type: 'integer' }) }

/** Members of outputs. */
export const outputs: Schemas<
  'text' | 'count' | 'time' | 'claim' | 'boards' | 'board' | 'card' | 'conflicts' | 'nextCursor'
> = {
  text: TEXT,
  count: COUNT,
  time: TIME,
  nextCursor: { ...orNull(TEXT), description: 'The `cursor` of the next page; null at the end.' },
  claim,
  boards: listOf(
    object({ boardId: TEXT, title: orNull(TEXT), columns: listOf(object({ ...columnMembers, cards: COUNT })) }),
  ),
  board: orNull(
    object({
      boardId: TEXT,
      title: orNull(TEXT),
      columns: listOf(object({ ...columnMembers, cards: listOf(object(cardMembers)) })),
    }),
  ),
  card: orNull(
    object({
      ...cardMembers,
      column: orNull(TEXT),
      body: orNull(TEXT),
      comments: listOf(object({ commentId: TEXT, text: orNull(TEXT), deviceId: TEXT, issuedAtMs: TIME })),
    }),
  ),
  conflicts: listOf(
    object({
      conflictId: TEXT,
      kind: TEXT,
      register: TEXT,
      shown: TEXT,
      candidates: listOf(object({ id: TEXT, value: {}, deviceId: TEXT, issuedAtMs: TIME })),
    }),
  ),
}
