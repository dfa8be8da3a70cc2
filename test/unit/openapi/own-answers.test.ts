/** The contract of a user's feature is compared with what its routes declare. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { described } from '../../../core/declare/described.ts'
import { defineFeature } from '../../../core/declare/feature.ts'
import { closed } from '../../../core/declare/json-schema.ts'
import { refusal } from '../../../core/declare/operation.ts'
import { json } from '../../../core/http/reply.ts'
import { checkDeclared } from '../../support/own-answers.ts'

const test = suite('answers of own features')
const handler = () => json(200, {})
const { made } = defineFeature({
  id: 'edge.quote',
  routes: (route) => [
    route('GET /edge/quote/:number', {
      about: described({
        id: 'quote',
        summary: 'A quote.',
        answers: {
          200: { description: 'The quote.', schema: closed('Quote', { quote: { type: 'string' } }) },
          404: refusal('quote_missing'),
        },
      }),
      handler,
    }),
    route('GET /edge/quote/all', {
      about: described({
        id: 'quotes',
        summary: 'All quotes.',
        answers: { 200: { description: 'All.', schema: v.array(v.string()) }, 204: { description: 'None.' } },
      }),
      handler,
    }),
    route('GET /edge/plain', { handler }),
  ],
})

const check = (path: string, status: number, body: unknown, type = 'application/json', method = 'GET'): void =>
  checkDeclared(made, 'runtime', method, path, {
    status,
    headers: type === '' ? {} : { 'content-type': type },
    text: body === undefined ? '' : JSON.stringify(body),
  })
const error = { error: { code: 'quote_missing', message: 'None.' } }

test('declared answers pass, and so do refusals that every route of the kind has, and routes without `about`', () => {
  check('/edge/quote/1', 200, { quote: 'a' })
  check('/edge/quote/1?x=1', 404, error)
  check('/edge/quote/1', 401, error)
  check('/edge/quote/1', 200, undefined, 'application/json', 'HEAD')
  check('/edge/quote/all', 200, ['a'])
  check('/edge/quote/all', 204, undefined, '')
  check('/edge/plain', 418, 'anything')
  check('/elsewhere', 500, 'anything')
})

test('a status, a media type or a body that is not declared fails, with the route and what is declared', () => {
  for (const [args, says] of [
    [
      ['/edge/quote/1', 418, error],
      /GET \/edge\/quote\/1 418: `answers` of the route have no such status, only 200, 404/,
    ],
    [['/edge/quote/1', 200, { quote: 1 }], /does not fit its schema at "\/quote"/],
    [['/edge/quote/1', 200, { quote: 'a', more: 1 }], /does not fit its schema/],
    [['/edge/quote/1', 200, { quote: 'a' }, 'text/plain'], /"text\/plain", and the route declares "application\/json"/],
    [['/edge/quote/all', 200, [1]], /does not fit its schema: Invalid type/],
    [['/edge/quote/all', 204, 'a'], /the route declares ""/],
  ] as const)
    assert.throws(() => check(...(args as unknown as Parameters<typeof check>)), says)
})

test.run()
