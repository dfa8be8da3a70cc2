/** Parameters and answers of the routes of `realtime.runs-admin` for OpenAPI. */
import { type OperationSpec, type ParameterSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'
import { beforeParameter, filters, runSchema, runsSchema } from '../runs/schemas.ts'

const text = (name: string, description: string): ParameterSpec => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
})

const refused: OperationSpec['answers'] = {
  400: refusal('malformed_request'),
  403: refusal('transport_forbidden'),
  503: { ...refusal('overloaded'), headers: retryAfter },
}

/** By route. */
export const parameters: Readonly<Record<'list' | 'cancel', readonly ParameterSpec[]>> = {
  list: [
    text('tenant', 'Runs of this tenant; of all tenants where absent.'),
    text('user', 'Runs of this user; of all users where absent.'),
    text('run_id', 'Runs with this id, of any owner.'),
    ...filters,
    {
      name: 'limit',
      in: 'query',
      description: '1 to 200; 100 where absent.',
      schema: { type: 'integer', minimum: 1, maximum: 200 },
    },
    beforeParameter,
  ],
  cancel: [text('tenant', 'The tenant of the run; required.'), text('user', 'The owner of the run; required.')],
}

/** By route. */
export const answers: Readonly<Record<'list' | 'cancel', OperationSpec['answers']>> = {
  list: { 200: { description: 'A page of runs, newest first.', schema: runsSchema }, ...refused },
  cancel: {
    200: { description: 'The run, which has ended.', schema: runSchema },
    404: refusal('not_found'),
    ...refused,
    504: refusal('append_unknown'),
  },
}
