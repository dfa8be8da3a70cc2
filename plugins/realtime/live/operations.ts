/** The OpenAPI part of `realtime.live`. */
import { closed, type JsonSchema } from '../../../core/json-schema.ts'
import { eventStream, type Operations, refusal } from '../../../core/operation.ts'
import { limited } from '../operation-parts.ts'

const change: JsonSchema = {
  title: 'EntityChange',
  type: 'object',
  required: ['identifier', 'operation', 'data'],
  properties: {
    identifier: { type: 'string' },
    operation: { enum: ['insert', 'update', 'delete'] },
    data: { description: 'Any JSON value.' },
  },
}

/** By surface, method and path. */
export const operations: Operations = {
  'runtime GET /api/live': {
    id: 'live',
    answers: { 200: eventStream('Entity changes: topic, identifier, operation, data.'), ...limited },
  },
  'runtime GET /api/live/:topic': {
    id: 'liveTopic',
    answers: { 200: eventStream('The same, of one topic.'), 404: refusal('not_found'), ...limited },
  },
  'runtime POST /api/live/:topic': {
    id: 'publishChange',
    access: { scopes: ['live:publish'] },
    request: change,
    answers: {
      202: { description: 'Published.', schema: closed('Published', { status: { const: 'accepted' } }) },
      404: refusal('not_found'),
    },
  },
}
