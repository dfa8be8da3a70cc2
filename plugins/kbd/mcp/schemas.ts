/** The inputs and outputs of tools, as JSON Schema. */
import { type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import { TEXT_BYTES } from '../engine/commands/fields.ts'

/** A JSON Schema of an object. MCP requires an object as the root of an input or an output. */
export type ObjectSchema = JsonSchema & { readonly type: 'object' }

/** The limits of the engine for leases, in seconds, and the default of the tools. */
const LEASE_SECONDS = { min: 10, max: 86_400, otherwise: 900 } as const
/** Most bytes of a text of a card or comment. The service has a limit of its own, which is no higher by default. */
const CONTENT_BYTES = 262_144
const KEY_BYTES = 256
/** Most events of one report. */
const MAX_EVENTS = 1_000

type Schemas<Name extends string> = Readonly<Record<Name, JsonSchema>>

const TEXT: JsonSchema = { type: 'string' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const TIME: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }
/**
 * A text of 1 to `max` bytes of UTF-8. `maxLength` counts characters, so the description has the bytes, and
 * check-input.ts counts them.
 */
const bounded = (max: number, about = ''): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  description: `${about}1 to ${max} bytes of UTF-8.`,
})
const named = (what: string): JsonSchema =>
  bounded(TEXT_BYTES.title, `${what}: its id or title, or the beginning of either. `)
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
})

/** The schema of an input, which has no other members; `required` are the names of the members that must be present. */
export function takes(required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return { type: 'object', required, additionalProperties: false, properties }
}

/** The schema of an output: all of these members, or an error. */
export function gives(properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return {
    type: 'object',
    properties: { ...properties, holders: HOLDERS, error: ERROR },
    oneOf: [{ required: Object.keys(properties) }, { required: ['error'] }],
  }
}

const HOLDERS: JsonSchema = {
  type: 'array',
  items: { type: 'object' },
  description: 'Claims of other devices on the card that was changed. The change was made all the same.',
}

const ERROR: JsonSchema = {
  type: 'object',
  description: 'Why nothing was done. Some codes have more members, such as `holder`.',
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
  | 'priority'
  | 'assignee'
  | 'idempotencyKey'
  | 'lease'
  | 'agent'
  | 'runId'
  | 'state'
  | 'events'
  | 'cursor'
> = {
  board: named('A board'),
  card: named('A card'),
  column: named('A column'),
  title: bounded(TEXT_BYTES.title),
  cursor: bounded(TEXT_BYTES.title, 'The `nextCursor` of the page before. '),
  text: bounded(CONTENT_BYTES),
  labels: { type: 'array', maxItems: 16, items: bounded(TEXT_BYTES.label) },
  priority: { ...orNull({ type: 'integer', minimum: 0, maximum: 4 }), description: '0 to 4; 0 is the highest.' },
  assignee: { ...orNull(bounded(TEXT_BYTES.assignee)) },
  idempotencyKey: bounded(
    KEY_BYTES,
    'A text of your choice. A call with the same key again creates nothing, and returns what the first one created. ',
  ),
  lease: {
    type: 'integer',
    minimum: LEASE_SECONDS.min,
    maximum: LEASE_SECONDS.max,
    default: LEASE_SECONDS.otherwise,
    description: 'How long the claim holds from now on, in seconds. Renew it before it ends.',
  },
  agent: bounded(TEXT_BYTES.agent, 'The agent name of the claim. '),
  runId: bounded(256, 'The run; a new run if absent. '),
  state: { enum: ['started', 'step', 'message', 'finished', 'failed'] },
  events: {
    type: 'array',
    maxItems: MAX_EVENTS,
    items: { type: 'object' },
    description: 'Events of AG-UI, which are sent unchanged.',
  },
}

/** The lease of a call that names none, in seconds. */
export const DEFAULT_LEASE_SECONDS: number = LEASE_SECONDS.otherwise

const claim = object({
  claimId: TEXT,
  cardId: TEXT,
  generation: { type: 'integer', minimum: 1, description: 'With `claimId` the fencing token.' },
  agent: orNull(TEXT),
  deviceId: TEXT,
  expiresAtMs: TIME,
  mine: { type: 'boolean', description: 'Whether the device of this server holds the claim.' },
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
