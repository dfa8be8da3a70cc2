import { resolve } from 'node:path'
import { registerSchema, validate } from '@hyperjump/json-schema/openapi-3-1'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openApiText } from '../../../plugins/openapi/document.ts'
import { openApiDocument } from '../../../scripts/openapi/document.ts'
import { checkAnswerOf } from '../../support/openapi.ts'
import { failure } from '../../support/throws.ts'
import { readCollected } from '../../support/vectors/collections.ts'

const root = resolve(import.meta.dirname, '../../..')

test('the document is valid by the official schema', async () => {
  let schema = 'https://spec.openapis.org/oas/3.1/schema-base'
  for (const name of ['meta', 'dialect', 'schema', 'schema-base']) {
    const newer = readCollected<{ $id: string; $schema?: string }>(`openapi31/${name}.json`)
    if (newer === undefined) continue
    registerSchema(newer as Parameters<typeof registerSchema>[0], newer.$id)
    schema = newer.$id
  }
  const output = await validate(schema, JSON.parse(openApiText) as never)
  assert.ok(output.valid, JSON.stringify(output))
  const broken = { ...(JSON.parse(openApiText) as object), paths: { nope: 1 } }
  assert.not((await validate(schema, broken as never)).valid, 'the check can fail')
})

test('the linter reports no problems', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: openApiText, config, absoluteRef: resolve(root, 'openapi.json') })
  assert.equal(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  )
  const broken = openApiText.replace('"operationId": "health"', '"operationId": "healthz"')
  assert.ok((await lintFromString({ source: broken, config, absoluteRef: 'x.json' })).length > 0, 'it can fail')
})

test('every route of the matrix is described', () => {
  assert.not.match(openApiText, 'Not described.')
})

test('a route without an operation is described from the route; an operation without a route is refused', () => {
  const route = { surface: 'runtime', method: 'GET', path: '/edge/:id', auth: 'handler', summary: 'Edge.' } as const
  const bare = openApiDocument([{ id: 'edge', routes: [route], operations: {} }], '1.0.0')
  const operation = (bare['paths'] as Record<string, Record<string, Record<string, unknown>>>)['/edge/{id}']!['get']!
  assert.is(operation['operationId'], 'runtimeGetEdgeId')
  assert.is(operation['summary'], 'Edge.')
  const operations = { 'runtime GET /edge': { id: 'edge', answers: {} } }
  const error = failure('ERR_PROFILE_INVALID', () =>
    openApiDocument([{ id: 'edge', routes: [route], operations }], '1.0.0'),
  )
  assert.match(error.message, 'edge describes operations that are none of its routes: runtime GET /edge.')
})

test('the check of answers can fail', () => {
  const json = { 'content-type': 'application/json' }
  checkAnswerOf('GET', '/health', { status: 200, headers: json, text: '{"status":"ok"}' })
  const wrong: [string, string, number, string][] = [
    ['GET', '/health', 200, '{"status":"fine"}'],
    ['GET', '/health', 200, '{"status":"ok","more":1}'],
    ['GET', '/health', 201, '{"status":"ok"}'],
    ['PUT', '/health', 200, '{"status":"ok"}'],
    ['GET', '/nowhere', 404, '{"oops":1}'],
    ['GET', '/api/v2/sync/pushes/x', 404, '{"error":{"code":"push_not_found"}}'],
  ]
  for (const [method, path, status, text] of wrong)
    assert.throws(() => checkAnswerOf(method, path, { status, headers: json, text }), undefined, `${method} ${path}`)
})

test.run()
