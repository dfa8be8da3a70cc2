/**
 * The cost of JSON bodies is bounded: levels and members are counted before parsing, and each large body gets its own
 * turn of the event loop.
 */
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../../core/declare/errors.ts'
import { anonymous } from '../../../../core/http/identity.ts'
import { checkJsonBounds } from '../../../../core/http/json-body.ts'
import { json } from '../../../../core/http/reply.ts'
import type { BodySpec, Route } from '../../../../core/http/route.ts'
import { compileSurface } from '../../../../core/http/surface.ts'
import { createTurns } from '../../../../core/http/turns.ts'
import { LogHub } from '../../../../core/kernel/log.ts'
import { makeRequest } from '../../../support/requests.ts'

const test = suite('core: bounds of JSON bodies')
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function codeOf(text: string, maxDepth: number, maxMembers: number): string | undefined {
  try {
    checkJsonBounds(bytesOf(text), { maxDepth, maxMembers })
    return undefined
  } catch (error) {
    return isSvcError(error) ? error.code : String(error)
  }
}

/** Counts levels and members by walking the value. */
function measure(value: unknown): { depth: number; members: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, members: 0 }
  const inside = Object.values(value).map(measure)
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    members: Math.max(1, inside.length) + inside.reduce((sum, { members }) => sum + members, 0),
  }
}

test('the counted levels and members of any text equal those of a walk over the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const { depth, members } = measure(value)
      assert.is(codeOf(text, depth, members), undefined, text)
      if (depth > 0) assert.is(codeOf(text, depth - 1, members), 'malformed_request', text)
      if (members > 0) assert.is(codeOf(text, depth, members - 1), 'payload_too_large', text)
    }),
  )
})

test('brackets, commas and quotes inside strings do not count', () => {
  assert.is(codeOf(String.raw`["[[[{,,,,\"[[,\\"]`, 1, 1), undefined)
  assert.is(codeOf('["[[[', 1, 1), undefined)
})

const route = (body: BodySpec, path = '/x'): Route => ({
  surface: 'runtime',
  method: 'POST',
  path,
  summary: '',
  body,
  handler: async (request) => {
    await request.body()
    return json(200, {})
  },
})

function post(routes: readonly Route[]) {
  const surface = compileSurface({
    name: 'runtime',
    routes,
    guard: () => anonymous,
    open: new Set(),
    hooks: [],
    log: new LogHub(() => 0).logger('svc::http'),
    monotonic: () => 0,
    newId: () => 'id',
    bodyLimit: () => 2_000_000,
  })
  return async (text: string, type = 'application/json', path = '/x'): Promise<number> => {
    const reply = surface.handle(makeRequest(path, { method: 'POST', body: text, headers: { 'content-type': type } }))
    return (await reply).status
  }
}

test('a route refuses a body beyond its bounds before the handler gets it', async () => {
  const send = post([
    route({ type: 'application/json' }),
    route({ type: 'application/json', json: { maxDepth: 100, maxMembers: 50_000 } }, '/large'),
    route({ type: 'text/plain' }, '/text'),
  ])
  const [deep, wide] = [`${'['.repeat(65)}${']'.repeat(65)}`, `[${'1,'.repeat(10_000)}1]`]
  assert.is(await send(deep), 400)
  assert.is(await send(wide), 413)
  assert.is(await send(deep, 'application/json', '/large'), 200)
  assert.is(await send(wide, 'application/json', '/large'), 200)
  assert.is(await send(wide, 'text/plain', '/text'), 200)
})

test('each large body gets its own turn of the event loop, and small bodies do not wait', async () => {
  const turns: number[] = []
  let turn = 0
  const tick = (): void => {
    turn++
    if (turn < 50) setImmediate(tick)
  }
  setImmediate(tick)
  const send = post([
    {
      ...route({ type: 'application/json' }),
      handler: async (request) => {
        await request.body()
        turns.push(turn)
        return json(200, {})
      },
    },
  ])
  const large = JSON.stringify('x'.repeat(20_000))
  await Promise.all([send(large), send(large), send(large), send('{}')])
  assert.is(turns[0], 0)
  assert.is(new Set(turns).size, 4, String(turns))
})

test('the queue continues after each turn', async () => {
  const turn = createTurns(async () => undefined)
  assert.is(turn(8_192), undefined)
  await Promise.all([turn(8_193), turn(8_193)])
})

test.run()
