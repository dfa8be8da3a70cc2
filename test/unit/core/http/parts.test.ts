import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { array, minLength, number, object, pipe, string } from 'valibot'
import { clientAddress, readProxy, toIsTrusted } from '../../../../core/http/client-address.ts'
import { checkShape, parseJson, type Schema } from '../../../../core/http/json-body.ts'
import { makeRequest } from '../../../support/requests.ts'
import { failure } from '../../../support/throws.ts'

const test = suite('core: parts of HTTP')

test('the client address is that of the connection, unless a trusted proxy gives another', () => {
  const from = (address: string, forwarded?: string): string =>
    clientAddress(
      makeRequest('/', {
        peer: { transport: 'tcp', address },
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      }),
      toIsTrusted(['10.0.0.1', '10.0.0.2']),
    )
  assert.is(from('192.0.2.7', '198.51.100.1'), '192.0.2.7')
  assert.is(from('10.0.0.1'), '10.0.0.1')
  assert.is(from('10.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.is(from('10.0.0.1', '203.0.113.9, 198.51.100.1 ,10.0.0.2'), '198.51.100.1')
  assert.is(from('10.0.0.1', '10.0.0.2, ,'), '10.0.0.1')
  for (const [hop, address] of [
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:DB8::0:1]:4711', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['[::ffff:c633:6401]:80', '198.51.100.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['198.51.100.1, 10.0.0.2:80', '198.51.100.1'],
    ['198.51.100.1, unknown', '10.0.0.1'],
    ['198.51.100.1, 256.0.0.1', '10.0.0.1'],
    ['198.51.100.1, 2001:db8::1::2', '10.0.0.1'],
    ['198.51.100.1, _hidden:80', '10.0.0.1'],
  ] as const) {
    assert.is(from('10.0.0.1', hop), address, hop)
  }
  assert.is(
    clientAddress(makeRequest('/', { headers: { 'x-forwarded-for': '1.1.1.1' } }), toIsTrusted([])),
    '192.0.2.1',
  )
})

test('proxies are trusted by address and by network, in any spelling', () => {
  const among = (proxies: readonly string[], address: string): boolean =>
    toIsTrusted(proxies.map((proxy) => readProxy(proxy)!))(address)
  for (const [proxy, inside, outside] of [
    ['10.0.0.0/8', '10.255.0.1', '11.0.0.0'],
    ['10.9.9.9/8', '10.0.0.0', '9.255.255.255'],
    ['192.0.2.128/25', '192.0.2.255', '192.0.2.127'],
    ['192.0.2.1/32', '192.0.2.1', '192.0.2.2'],
    ['0.0.0.0/0', '203.0.113.1', '::1'],
    ['::/0', '2001:db8::1', '10.0.0.1'],
    ['2001:DB8:0:0::/33', '2001:db8:7fff::1', '2001:db8:8000::'],
    ['::ffff:10.0.0.0/104', '10.1.2.3', '::10.1.2.3'],
    ['::FFFF:10.0.0.1', '10.0.0.1', '10.0.0.2'],
    ['10.0.0.1', '::ffff:a00:1', '::a00:1'],
    ['fe80::/10', 'fe80::1%eth0', 'fec0::1'],
    ['0:0:0:0:0:0:0:1', '::1', '::2'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:9'],
  ] as const) {
    assert.is(among([proxy], inside), true, `${proxy} has ${inside}`)
    assert.is(among([proxy], outside), false, `${proxy} has not ${outside}`)
    assert.is(among(['198.51.100.7', proxy], inside), true)
  }
  assert.is(among(['0.0.0.0/0', '::/0'], ''), false, 'no address')
  assert.is(among(['::/0'], 'unix'), false)
})

test('JSON is parsed from bytes, and other bytes are malformed_json', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      assert.is(JSON.stringify(parseJson(new TextEncoder().encode(text))), text)
    }),
  )
  const bad = [[], [0xef, 0xbb, 0xbf, 0x7b, 0x7d], [0x22, 0xff, 0x22], [0x7b], [0x22, 0xc0, 0xaf, 0x22]]
  for (const bytes of bad) failure('malformed_json', () => parseJson(new Uint8Array(bytes)))
  assert.match(
    failure('malformed_json', () => parseJson(new TextEncoder().encode('\ufeff{}'))).message,
    'byte order mark',
  )
})

const shape = object({ name: pipe(string(), minLength(1)), list: array(object({ n: number() })) })

test('an error names every wrong member, but no value', () => {
  const error = failure('malformed_request', () => checkShape({ name: '', list: [{ n: 1 }, { n: 'hush' }] }, shape))
  assert.match(error.message, /name: /)
  assert.match(error.message, /list\.1\.n: /)
  const whole = failure('malformed_request', () => checkShape(5, shape))
  assert.match(whole.message, /body: /)
})

test('both forms of issue paths of Standard Schema are read, and promises are refused', () => {
  const issues = [{ message: 'wrong', path: ['a', { key: 0 }, { key: 'b' }] }]
  const schema = (result: unknown): Schema<unknown> => ({
    '~standard': { validate: () => result as { value: unknown } },
  })
  assert.match(failure('malformed_request', () => checkShape({}, schema({ issues }))).message, 'a.0.b: wrong')
  assert.throws(() => checkShape({}, schema(Promise.resolve({ value: 1 }))), /synchronously/)
})

test('the first value of a repeated query parameter counts', () => {
  assert.is(makeRequest('/?a=1&a=2&b=%zz&c').queryParam('a'), '1')
  assert.is(makeRequest('/?a=1&a=2&b=%zz&c').queryParam('b'), '%zz')
  assert.is(makeRequest('/?a=1&a=2&b=%zz&c').queryParam('c'), '')
  assert.is(makeRequest('/').queryParam('a'), undefined)
})

test.run()
