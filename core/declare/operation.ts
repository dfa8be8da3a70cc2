/**
 * Schemas and statuses of routes, which are not in the route table. A feature declares them for OpenAPI in its
 * `operations.ts`.
 */
import { closed, type JsonSchema } from './json-schema.ts'

/** One answer of an operation. */
export interface AnswerSpec {
  readonly description: string
  /** Schema of a JSON body; absent if there is no body or the body has another media type. */
  readonly schema?: JsonSchema
  /** Media type of a body that is not JSON. */
  readonly media?: string
  /** Headers by name, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A parameter in query or header. */
export interface ParameterSpec {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly description: string
  readonly required?: true
  readonly schema: JsonSchema
}

/**
 * Who may call an operation, beyond the check of its surface: what its handler refuses with 403. The table of
 * docs/authentication.md follows from it, and a test asks every cell of the table.
 */
export interface AccessSpec {
  /** Scopes that every caller needs. */
  readonly scopes?: readonly string[]
  /** Where a request names another user of the tenant, and the scopes that a caller needs to do so. */
  readonly others?: {
    readonly in: 'query' | 'body'
    readonly name: string
    readonly scopes: readonly string[]
  }
  /** Anonymous callers are refused. */
  readonly anonymous?: false
  /** Callers who act for a user are refused. */
  readonly acting?: false
  /** The handler takes an API key, and no token. */
  readonly credential?: 'key'
  /** Of the local surface: over TCP the answer is 403. Every route below `/api/v1/admin/` is so. */
  readonly transport?: 'unix'
}

/** One operation. */
export interface OperationSpec {
  readonly id: string
  readonly access?: AccessSpec
  readonly request?: JsonSchema
  readonly parameters?: readonly ParameterSpec[]
  /** By status. Errors that every route of its kind can give are not listed. */
  readonly answers: Readonly<Record<string, AnswerSpec>>
  readonly deprecated?: true
}

/** The operations of a feature, each by `<surface> <method> <path>` of its route. */
export type Operations = Readonly<Record<string, OperationSpec>>

/** The error envelope. */
const errorSchema: JsonSchema = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      description: 'Some codes bring members of their own, such as `pushId` or `currentFrontier`.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', pattern: '^[a-z_]+$' },
        message: { type: 'string' },
        pushId: { type: 'string' },
        traceId: { type: 'string' },
      },
    },
  },
}

/**
 * An answer that is an error with one of these codes.
 *
 * @example
 * ```ts
 * import { refusal } from 'svc/plugin'
 *
 * refusal('quote_unknown', 'not_found').description // → '`quote_unknown`, `not_found`'
 * ```
 */
export function refusal(...codes: readonly string[]): AnswerSpec {
  return { description: codes.map((code) => `\`${code}\``).join(', '), schema: errorSchema }
}

/**
 * An open event stream.
 *
 * @example
 * ```ts
 * import { eventStream } from 'svc/plugin'
 *
 * eventStream('A quote a day.').media // → 'text/event-stream'
 * ```
 */
export function eventStream(description: string): AnswerSpec {
  return { description, media: 'text/event-stream' }
}

/** The header of an error that is temporary. */
export const retryAfter: Readonly<Record<string, string>> = { 'Retry-After': 'Seconds after which to try again.' }

/** The body of a liveness probe, on any surface. */
export const statusSchema: JsonSchema = closed('Status', { status: { const: 'ok' } })

/** The body of a readiness probe, on any surface. */
export const readySchema: JsonSchema = closed('Readiness', {
  status: { enum: ['ready', 'unavailable'] },
  profile: { type: 'string' },
  checks: {
    type: 'object',
    additionalProperties: closed('Check', { status: { enum: ['ok', 'failed'] }, required: { type: 'boolean' } }),
  },
})
