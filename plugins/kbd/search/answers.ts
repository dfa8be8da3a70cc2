/** What a search takes and answers, for OpenAPI. */
import { closed, type JsonSchema } from '../../../core/declare/json-schema.ts'
import { type OperationSpec, type ParameterSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'

const TEXT: JsonSchema = { type: 'string' }
const inQuery = (name: string, description: string): ParameterSpec => ({ name, in: 'query', description, schema: TEXT })

const result = closed('SearchResult', {
  kind: { enum: ['board', 'card', 'column', 'comment'] },
  id: TEXT,
  project: TEXT,
  title: { type: ['string', 'null'], description: 'Of a comment, the title of its card.' },
  snippet: { type: 'string', description: 'The words around the first match.' },
  score: { type: 'number', description: 'Higher is better.' },
})

/** The query. */
export const parameters: readonly ParameterSpec[] = [
  inQuery('q', 'The words; all of them must occur. 1 to 1 024 bytes.'),
  inQuery('project', 'Only in this project.'),
  inQuery('kind', '`board`, `card`, `column` or `comment`: only these.'),
  inQuery('limit', '1 to 100; 20 if absent.'),
]

/** By status. */
export const answers: OperationSpec['answers'] = {
  200: {
    description: 'The results, the best first.',
    schema: closed('SearchAnswer', {
      results: { type: 'array', items: result },
      frontier: {
        title: 'SearchFrontier',
        type: ['object', 'null'],
        description: 'The frontier of the searched project; null if all projects were searched.',
        required: ['heads'],
        additionalProperties: false,
        properties: { heads: { type: 'array', items: { type: 'string', pattern: '^[0-9a-f]{64}$' } } },
      },
      headCount: { type: ['integer', 'null'], description: 'The number of heads of that project; null as above.' },
    }),
  },
  503: { ...refusal('receipt_store_unavailable'), headers: retryAfter },
  400: refusal('malformed_request'),
  404: refusal('project_not_found'),
  422: refusal('search_query_invalid'),
}
