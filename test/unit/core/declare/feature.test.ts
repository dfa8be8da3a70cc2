/** A feature as one value: the plugin that the kernel reads, its row of the matrix, and its routes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { described } from '../../../../core/declare/described.ts'
import { defineFeature, rowOf } from '../../../../core/declare/feature.ts'
import { counter } from '../../../../core/declare/metric.ts'
import { operationsOfRoutes } from '../../../../core/declare/operations-of-routes.ts'
import type { Plugin } from '../../../../core/declare/plugin.ts'
import { integer } from '../../../../core/declare/settings.ts'
import { anonymous } from '../../../../core/http/identity.ts'
import type { Schema } from '../../../../core/http/json-body.ts'
import { json } from '../../../../core/http/reply.ts'
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import { compose, make } from '../../../support/kernels.ts'
import { makeRequest } from '../../../support/requests.ts'

const about = {
  at: import.meta.url,
  summary: 'Quotes',
  stability: 'stable',
  since: '1.0.0',
  platform: 'web',
  contract: { present: [], absent: [] },
} as const

const quotes = defineFeature({
  id: 'edge.quote',
  about: described(about),
  needs: { TestA: 'required', TestB: 'optional', TestC: 'later' },
  settings: { 'edge.first': integer({ default: 7, summary: 'The first number.' }) },
  metrics: { asked: counter('edge_quotes_total', { unit: 'quotes', help: 'Quotes.', labels: ['outcome'] }) },
  setup({ settings, metrics, get, onStart }) {
    const later = get('TestC')
    const seen = { a: get('TestA'), b: get('TestB'), c: '', first: settings['edge.first'], metrics }
    onStart(() => {
      seen.c = later()
    })
    return seen
  },
  routes: (route) => [
    route('GET /edge/quote/:number', {
      about: described({ id: 'quote', summary: 'A quote.', answers: { 200: { description: 'The quote.' } } }),
      handler({ params }, { a, b, c, first, metrics }) {
        metrics.asked.add({ outcome: 'found' })
        return json(200, { number: params['number'], a, b: b ?? null, c, first, measured: metrics.asked.enabled })
      },
    }),
    route('local POST /edge/quotes', { about: undefined, auth: 'handler', handler: () => json(200, {}) }),
    route('GET /edge/open', { about: undefined, auth: 'none', handler: () => json(200, {}) }),
  ],
})

test('a feature is a plugin with its needs by kind, and with its routes as data', () => {
  assert.equal([quotes.name, quotes.feature], ['edge.quote', 'edge.quote'])
  assert.equal(
    [quotes.requires, quotes.wants, quotes.requiresLater, quotes.wantsLater],
    [['TestA'], ['TestB'], ['TestC'], []],
  )
  assert.equal(
    quotes.routes?.map(({ surface, method, path, auth, summary }) => [surface, method, path, auth, summary]),
    [
      ['runtime', 'GET', '/edge/quote/:number', undefined, 'A quote.'],
      ['local', 'POST', '/edge/quotes', 'handler', undefined],
      ['runtime', 'GET', '/edge/open', 'none', undefined],
    ],
  )
  assert.equal(Object.keys(operationsOfRoutes(quotes.made)), ['runtime GET /edge/quote/:number'])
})

test('the public paths of the row are those of the routes without a check', () => {
  // The ids of the matrix are those that the compiler knows.
  const { open, summary, at, value } = rowOf(quotes as never)
  assert.equal(open, ['/edge/open'])
  assert.equal([summary, at], ['Quotes', import.meta.url])
  assert.is(value, quotes)
  assert.throws(() => rowOf({ ...quotes, about: undefined } as never), /edge\.quote: `about` needs `at/)
})

test('handlers get the state that the set-up returned, and capabilities come by need', async () => {
  const provider = make('provider', {
    provides: ['TestA', 'TestC'],
    setup(ctx) {
      ctx.guard('runtime', () => anonymous)
      ctx.provide('TestA', 'a')
      ctx.provide('TestC', 'c')
    },
  })
  const { routes = [] } = quotes
  const guarded = { ...quotes, routes: routes.slice(0, 2) }
  const kernel = compose([provider, onlyGuarded(guarded)])
  await kernel.start()
  try {
    const reply = await kernel.surface('runtime').handle(makeRequest('/edge/quote/3'))
    const body = JSON.parse(String(reply.body))
    assert.equal(body, { number: '3', a: 'a', b: null, c: 'c', first: 7, measured: false })
  } finally {
    await kernel.stop()
  }
})

/** Binds the routes that remain; the open path of the third is none of the matrix. */
function onlyGuarded(plugin: typeof quotes): typeof quotes {
  return {
    ...plugin,
    setup: (ctx) =>
      quotes.setup({
        ...ctx,
        route: (spec, handler) => (plugin.routes?.includes(spec) === true ? ctx.route(spec, handler) : undefined),
      }),
  }
}

const variants = defineFeature({
  id: 'edge.tone',
  about: described({
    ...about,
    variants: {
      loud: async () => ({ variant: { mark: '!' } }),
      calm: async () => ({ variant: { mark: '.' } }),
    },
  }),
  setup: ({ variant }) => variant.mark,
  routes: (route) => [route('GET /edge/tone', { handler: (_, mark) => json(200, { mark }) })],
})

/** The reply of a service that has these features and a guard that admits everybody. */
async function replyOf(feature: Plugin, method: string, target: string, body?: string): Promise<[number, unknown]> {
  const guard = make('guard', { setup: (ctx) => ctx.guard('runtime', () => anonymous) })
  const kernel = compose([guard, feature])
  await kernel.start()
  try {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const { status, body: text } = await kernel
      .surface('runtime')
      .handle(makeRequest(target, { method, headers, ...(body !== undefined && { body }) }))
    return [status, JSON.parse(String(text))]
  } finally {
    await kernel.stop()
  }
}

test('set-up gets what the module of the chosen variant exports', async () => {
  assert.equal(await replyOf(variants.with({ mark: '!' }), 'GET', '/edge/tone'), [200, { mark: '!' }])
  assert.equal(await replyOf(variants.with({ mark: '.' }), 'GET', '/edge/tone'), [200, { mark: '.' }])
})

const page = v.object({
  limit: v.optional(v.pipe(v.string(), v.regex(/^\d+$/, 'not a number'), v.transform(Number)), '10'),
  tag: v.optional(v.array(v.picklist(['old', 'new']))),
})
const noteSchema = v.strictObject({ text: v.string(), stars: v.number() })
const noteJson = { title: 'Note', type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
/** A schema that offers its JSON Schema too. */
const note: Schema<v.InferOutput<typeof noteSchema>> = {
  '~standard': Object.assign({}, noteSchema['~standard'], {
    jsonSchema: { input: () => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...noteJson }) },
  }),
}
const notes = defineFeature({
  id: 'edge.notes',
  about: described(about),
  setup: () => ({ admitted: [] as string[] }),
  routes: (route) => [
    route('GET /edge/notes', {
      about: described({
        id: 'notes',
        summary: 'Notes.',
        query: { limit: 'How many notes.' },
        answers: { 200: { description: 'Notes.', schema: note } },
      }),
      query: page,
      handler: ({ query }) => json(200, query),
    }),
    route('PUT /edge/notes/:number', {
      about: described({ id: 'putNote', summary: 'A note.', answers: { 200: { description: 'The note.' } } }),
      params: v.object({ number: v.pipe(v.string(), v.regex(/^\d$/, 'one digit'), v.transform(Number)) }),
      body: { schema: note, maxBytes: 64 },
      admit({ params }, { admitted }) {
        admitted.push(String(params.number))
        if (params.number === 9) throw httpFail('forbidden')
      },
      handler: ({ params, body }, { admitted }) => json(200, { stars: body.stars + params.number, admitted }),
    }),
  ],
})

test('a query is validated: a repeated parameter is refused unless its shape is a list, and one value is a list of one', async () => {
  const ask = (query: string): Promise<[number, unknown]> => replyOf(notes, 'GET', `/edge/notes?${query}`)
  assert.equal(await ask(''), [200, { limit: 10 }])
  assert.equal(await ask('limit=3&tag=old'), [200, { limit: 3, tag: ['old'] }])
  assert.equal(await ask('tag=old&tag=new&other=1'), [200, { limit: 10, tag: ['old', 'new'] }])
  for (const [query, says] of [
    ['limit=1&limit=2', /^The query does not have the expected shape\. limit: /],
    ['limit=x', /limit: not a number$/],
    ['tag=odd', /tag\.0: /],
    ['tag=old&tag=odd&limit=x', /^(?=.*tag\.1: )(?=.*limit: not a number)/],
  ] as const) {
    const [status, body] = await ask(query)
    const { error } = body as { error: { code: string; message: string } }
    assert.equal([status, error.code], [400, 'malformed_request'], query)
    assert.match(error.message, says)
  }
})

test('path parameters and a JSON body are validated, and `admit` runs between them', async () => {
  const put = (number: string, body: string): Promise<[number, unknown]> =>
    replyOf(notes, 'PUT', `/edge/notes/${number}`, body)
  const body = '{"text":"a","stars":2}'
  const [status, answer] = await put('3', body)
  assert.equal([status, (answer as { stars: number }).stars], [200, 5])
  const errorOf = async (...args: [string, string]): Promise<unknown[]> => {
    const [code, reply] = await put(...args)
    const { error } = reply as { error: { code: string; message: string } }
    return [code, error.code, error.message.replace(/ [^ ]+: .*/, '')]
  }
  assert.equal(await errorOf('x', '{'), [400, 'malformed_request', 'The path does not have the expected shape.'])
  assert.equal((await errorOf('9', '{')).slice(0, 2), [403, 'forbidden'], 'admit precedes the body')
  assert.equal((await errorOf('3', '{')).slice(0, 2), [400, 'malformed_json'])
  assert.equal(await errorOf('3', '{"text":1}'), [
    400,
    'malformed_request',
    'The body does not have the expected shape.',
  ])
  assert.equal((await errorOf('3', JSON.stringify({ text: 'x'.repeat(64), stars: 1 }))).slice(0, 2), [
    413,
    'payload_too_large',
  ])
})

test('operations have the JSON Schema that a schema offers, or the names and meanings that the route gives', () => {
  const operations = operationsOfRoutes(notes.made)
  assert.equal(operations['runtime GET /edge/notes'], {
    id: 'notes',
    parameters: [{ name: 'limit', in: 'query', description: 'How many notes.', schema: { type: 'string' } }],
    answers: { 200: { description: 'Notes.', schema: noteJson } },
  })
  assert.equal(operations['runtime PUT /edge/notes/:number']!.request, noteJson)
  assert.equal(notes.made[1]!.spec.body, { maxBytes: 64, type: 'application/json' })
})

test.run()
