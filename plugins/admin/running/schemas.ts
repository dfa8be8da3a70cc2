/** The shapes of the answers, for OpenAPI. */
import type { JsonSchema } from '../../../core/declare/json-schema.ts'

const text: JsonSchema = { type: 'string' }
const nullableText: JsonSchema = { type: ['string', 'null'] }
const count: JsonSchema = { type: 'integer', minimum: 0 }
const time: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }

/** `GET /api/v1/admin/settings`. */
export const settingsSchema: JsonSchema = {
  type: 'object',
  title: 'SettingsInForce',
  required: ['settings'],
  properties: {
    settings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'value', 'source'],
        properties: {
          key: text,
          value: { description: 'Any JSON value; a secret is `[redacted]`.' },
          source: { type: 'string', description: '`default`, a file with its key, or a variable.' },
          reload: {
            description: '`true` if SIGHUP applies a new value, `contents` if it applies new contents of the file.',
          },
        },
      },
    },
  },
}

/** `GET /api/v1/admin/callers`. */
export const callersSchema: JsonSchema = {
  type: 'object',
  title: 'Callers',
  required: ['now_ms', 'callers'],
  properties: {
    now_ms: time,
    callers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['user', 'tenant', 'requests', 'refused', 'since_ms', 'last_seen_ms', 'address', 'streams'],
        properties: {
          user: nullableText,
          tenant: nullableText,
          requests: count,
          refused: { ...count, description: 'Those that were answered with 401, 403 or 429.' },
          since_ms: time,
          last_seen_ms: time,
          address: text,
          streams: {
            type: 'array',
            items: {
              type: 'object',
              required: ['route', 'address', 'since_ms'],
              properties: { route: text, address: text, since_ms: time },
            },
          },
        },
      },
    },
  },
}
