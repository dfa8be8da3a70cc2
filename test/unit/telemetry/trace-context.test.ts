import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemRandom } from '../../../core/kernel/environment.ts'
import {
  createContextSource,
  formatTraceparent,
  LocalContext,
  parseTraceparent,
} from '../../../plugins/telemetry/local-context.ts'
import { makeRequest } from '../../support/requests.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

test('a traceparent header of version 00 is parsed', () => {
  assert.equal(parseTraceparent(`00-${traceId}-${parentId}-01`), { traceId, parentId, sampled: true })
  assert.equal(parseTraceparent(`00-${traceId}-${parentId}-00`), { traceId, parentId, sampled: false })
  assert.equal(parseTraceparent(`00-${traceId}-${parentId}-fe`), { traceId, parentId, sampled: false })
  assert.equal(parseTraceparent(`00-${traceId}-${parentId}-03`), { traceId, parentId, sampled: true })
})

test('the known fields of a later version are parsed', () => {
  assert.equal(parseTraceparent(`cc-${traceId}-${parentId}-01-more`), { traceId, parentId, sampled: true })
  assert.equal(parseTraceparent(`cc-${traceId}-${parentId}-01`), { traceId, parentId, sampled: true })
  assert.is(parseTraceparent(`cc-${traceId}-${parentId}-01.more`), undefined)
})

test('headers that the specification calls invalid are refused', () => {
  for (const bad of [
    '',
    'ff-' + `${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}-01-`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    ` 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01\n`,
    `0x-${traceId}-${parentId}-01`,
  ]) {
    assert.is(parseTraceparent(bad), undefined, JSON.stringify(bad))
  }
})

test('property: a formatted header is parsed to the same values, and no text throws', () => {
  const hex = (length: number): fc.Arbitrary<string> =>
    fc
      .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
      .filter((text) => /[^0]/.test(text))
  fc.assert(
    fc.property(hex(32), hex(16), fc.boolean(), (trace, span, sampled) => {
      const read = parseTraceparent(formatTraceparent(trace, span, sampled))
      assert.equal(read, { traceId: trace, parentId: span, sampled })
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => void parseTraceparent(text)))
})

test('a request continues the trace of its caller with a new span', () => {
  const source = createContextSource(systemRandom, (_trace, recorded) => recorded ?? false)
  const headers = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'vendor=1' }
  const context = source.fromRequest(makeRequest('/', { headers }))
  assert.is(context.traceId, traceId)
  assert.is(context.parentId, parentId)
  assert.match(context.spanId, /^[0-9a-f]{16}$/)
  assert.is.not(context.spanId, parentId)
  assert.equal(context.headers, { traceparent: `00-${traceId}-${context.spanId}-01`, tracestate: 'vendor=1' })
  const child = source.child(context)
  assert.is(child.parentId, context.spanId)
  assert.equal(child.headers, { traceparent: `00-${traceId}-${child.spanId}-01`, tracestate: 'vendor=1' })
})

test('a request without a valid header starts a trace, with the sampling decision of the service', () => {
  for (const headers of [{}, { traceparent: 'nonsense', tracestate: 'vendor=1' }] as Record<string, string>[]) {
    const context = createContextSource(systemRandom, () => true).fromRequest(makeRequest('/', { headers }))
    assert.match(context.traceId, /^[0-9a-f]{32}$/)
    assert.is(context.parentId, undefined)
    assert.ok(context.sampled)
    assert.is(context.state, undefined)
  }
})

test('a tracestate that could break a header is not passed on', () => {
  const source = createContextSource(systemRandom, () => false)
  for (const tracestate of ['a=1\r\nx: y', 'a=é', 'a'.repeat(513), '']) {
    const headers = { traceparent: `00-${traceId}-${parentId}-01`, tracestate }
    assert.is(source.fromRequest(makeRequest('/', { headers })).state, undefined)
  }
})

test('ids differ, and are never all zero', () => {
  const source = createContextSource(systemRandom, () => false)
  const seen = new Set(Array.from({ length: 10_000 }, () => source.child().spanId))
  assert.is(seen.size, 10_000)
  const zeros = { ...systemRandom, bytes: (length: number) => new Uint8Array(length) }
  const { traceId: trace, spanId } = createContextSource(zeros, () => false).child()
  assert.is(trace, `${'0'.repeat(31)}1`)
  assert.is(spanId, `${'0'.repeat(15)}1`)
})

test('a context from another component is continued with its ids', () => {
  const child = createContextSource(systemRandom, () => true).child({ traceId, spanId: parentId })
  assert.ok(child instanceof LocalContext)
  assert.is(child.parentId, parentId)
  assert.not(child.sampled)
})

test.run()
