/** A feature as one value: the plugin that the kernel reads, its row of the matrix, and its routes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { described } from '../../../../core/declare/described.ts'
import { defineFeature, rowOf } from '../../../../core/declare/feature.ts'
import { counter } from '../../../../core/declare/metric.ts'
import { isSvcError } from '../../../../core/errors.ts'
import { json } from '../../../../core/http/reply.ts'
import { anonymous } from '../../../../core/identity.ts'
import { integer } from '../../../../core/settings/kinds.ts'
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
  assert.equal(Object.keys(quotes.operations), ['runtime GET /edge/quote/:number'])
})

test('the public paths of the row are those of the routes without a check', () => {
  // The ids of the matrix are those that the compiler knows.
  const { open, summary, at, value } = rowOf(quotes as never)
  assert.equal(open, ['/edge/open'])
  assert.equal([summary, at], ['Quotes', import.meta.url])
  assert.is(value, quotes)
  assert.throws(() => rowOf({ ...quotes, about: undefined } as never), /edge\.quote has no `about`/)
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

test('a capability that is not among the needs is refused', async () => {
  const careless = defineFeature({
    id: 'edge.careless',
    about: undefined,
    setup: ({ get }) => void (get as (name: string) => unknown)('TestA'),
  })
  const kernel = compose([careless])
  const failure = await kernel.start().then(
    () => assert.unreachable(),
    (error: unknown) => error,
  )
  assert.ok(isSvcError(failure, 'ERR_CAPABILITY_UNDECLARED'))
  assert.match((failure as Error).message, '"edge.careless" uses TestA')
  await kernel.stop()
})

test.run()
