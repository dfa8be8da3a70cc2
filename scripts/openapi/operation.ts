/** What the route table does not say of a route: shapes and statuses. */
import type { Schema } from '../../plugins/sync/engine/schemas.ts'

/** One answer of an operation. */
export interface AnswerSpec {
  readonly description: string
  /** Shape of a JSON body; none where there is no body or another kind of it. */
  readonly schema?: Schema
  /** Media type of a body that is not JSON. */
  readonly media?: string
  /** Headers by name, with what they say. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A parameter in query or header. */
export interface ParameterSpec {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly description: string
  readonly schema: Schema
}

/** One operation, found by `<surface> <method> <path>` of its route. */
export interface OperationSpec {
  readonly id: string
  readonly request?: Schema
  readonly parameters?: readonly ParameterSpec[]
  /** By status. Refusals that every route of its kind gives need not be named. */
  readonly answers: Readonly<Record<string, AnswerSpec>>
  readonly deprecated?: true
}

/** An object with exactly these members. */
export function closed(title: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { title, type: 'object', required: Object.keys(properties), additionalProperties: false, properties }
}

/** The error envelope. */
const errorSchema: Schema = {
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

/** An answer that is an error with one of these codes. */
export function refusal(...codes: readonly string[]): AnswerSpec {
  return { description: codes.map((code) => `\`${code}\``).join(', '), schema: errorSchema }
}

/** An open event stream. */
export function stream(description: string): AnswerSpec {
  return { description, media: 'text/event-stream' }
}
