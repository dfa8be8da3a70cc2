/** The OpenAPI schemas of commands. A condition between two members is in a description. */
import { type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'

const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const UUID: JsonSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'Lower case, and not nil.',
}
const RANK: JsonSchema = {
  type: 'string',
  pattern: '^[0-9A-Za-z]{0,63}[1-9A-Za-z]$',
  description: 'A fractional index, compared by bytes.',
}
const text = (bytes: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: bytes,
  description: `1 to ${bytes} bytes of UTF-8 without U+0000.`,
})
const TITLE = text(1_024)
const LABEL = text(64)
const BOOLEAN: JsonSchema = { type: 'boolean' }
const WIP_LIMIT: JsonSchema = { type: ['integer', 'null'], minimum: 1, maximum: 1_000 }
const LEASE: JsonSchema = { type: 'integer', minimum: 10_000, maximum: 86_400_000 }
const CARD_TEXTS = {
  'bodyHash?': orNull(HASH),
  'priority?': { type: ['integer', 'null'], minimum: 0, maximum: 4 },
  'assignee?': orNull(text(256)),
} as const satisfies Readonly<Record<string, JsonSchema>>

type Members = Readonly<Record<string, JsonSchema>>

/** An object with these members. A member whose name ends with `?` is optional. */
function members(schemas: Members, description?: string): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name.replace('?', ''), schema]),
  )
  const required = Object.keys(schemas).filter((name) => !name.endsWith('?'))
  return { type: 'object', ...(description && { description }), required, additionalProperties: false, properties }
}

const board: Members = { boardId: UUID, title: TITLE }
const card: Members = { cardId: UUID }
const label: Members = { cardId: UUID, name: LABEL }
const claim: Members = { claimId: UUID, cardId: UUID, agent: orNull(LABEL), leaseMs: LEASE }
const AT_LEAST_ONE = 'At least one member changes.'

const COMMANDS: Readonly<Record<string, readonly [members: Members, description?: string]>> = {
  'board.create': [board],
  'board.update': [board],
  'board.archive': [{ boardId: UUID, archived: BOOLEAN }],
  'column.create': [{ columnId: UUID, boardId: UUID, title: TITLE, rank: RANK, 'wipLimit?': WIP_LIMIT }],
  'column.update': [{ columnId: UUID, 'title?': TITLE, 'rank?': RANK, 'wipLimit?': WIP_LIMIT }, AT_LEAST_ONE],
  'column.archive': [{ columnId: UUID, archived: BOOLEAN }],
  'column.rerank': [
    {
      columnId: UUID,
      places: { type: 'array', maxItems: 256, items: members({ cardId: UUID, rank: RANK }) },
    },
    'At least one place; each card once.',
  ],
  'card.create': [{ cardId: UUID, boardId: UUID, columnId: UUID, rank: RANK, title: TITLE, ...CARD_TEXTS }],
  'card.update': [{ cardId: UUID, 'title?': TITLE, ...CARD_TEXTS }, `${AT_LEAST_ONE} Null clears the last three.`],
  'card.move': [{ cardId: UUID, boardId: UUID, columnId: UUID, rank: RANK }],
  'card.archive': [card],
  'card.restore': [card],
  'label.add': [label],
  'label.remove': [label],
  'link.add': [
    {
      linkId: UUID,
      from: UUID,
      to: { type: 'string', description: 'A card; for `url` an address with http or https, at most 2 048 bytes.' },
      kind: { enum: ['blocks', 'relates', 'duplicates', 'url'] },
    },
  ],
  'link.remove': [{ linkId: UUID }],
  'comment.add': [{ commentId: UUID, cardId: UUID, bodyHash: HASH }],
  'comment.edit': [{ commentId: UUID, bodyHash: HASH }],
  'comment.redact': [{ commentId: UUID }],
  'claim.acquire': [claim],
  'claim.force': [claim],
  'claim.renew': [{ claimId: UUID, cardId: UUID, leaseMs: LEASE }],
  'claim.release': [{ claimId: UUID, cardId: UUID }],
  'conflict.resolve': [
    {
      conflictId: HASH,
      register: { type: 'string', description: '`<kind>/<uuid>/<name>`' },
      candidates: { type: 'array', items: HASH },
      choose: { oneOf: [members({ id: HASH }), members({ value: {} })] },
    },
    'The candidates ascend; the value is one that the register takes.',
  ],
}

/** Every command. */
export const commandSchema: JsonSchema = {
  title: 'Command',
  oneOf: Object.entries(COMMANDS).map(([type, [schemas, description]]) =>
    members({ type: { const: type }, ...schemas }, description),
  ),
}
