import { inspect } from 'node:util'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LogRecord, LogSink } from '../../../core/kernel/log.ts'
import type { LogFormat } from '../../../plugins/telemetry/logs/formats.ts'
import { createLevelFilter } from '../../../plugins/telemetry/logs/level-filter.ts'
import { createLiteSink } from '../../../plugins/telemetry/logs/lite-sink.ts'
import { createPinoSink } from '../../../plugins/telemetry/logs/pino-sink.ts'
import type { SinkOptions } from '../../../plugins/telemetry/logs/variant.ts'

const variants: readonly [string, (options: SinkOptions) => LogSink][] = [
  ['pino', createPinoSink],
  ['lite', createLiteSink],
]

function print(create: (options: SinkOptions) => LogSink, record: LogRecord, format: LogFormat, color = false): string {
  let printed = ''
  const { enabled } = createLevelFilter('trace')
  create({ enabled, format, color, write: (line) => (printed += line) }).write(record)
  return printed
}

const record: LogRecord = {
  timeMs: Date.UTC(2026, 10, 21, 9, 8, 7, 6),
  level: 'info',
  target: 'svc::http',
  message: 'GET /health',
  fields: { status: 200, note: 'two words', nested: { list: [1, null, true] } },
  trace: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' },
}

for (const [name, create] of variants) {
  test(`${name}: json is one object a line, members in the documented order`, () => {
    assert.is(
      print(create, record, 'json'),
      '{"timestamp":"2026-11-21T09:08:07.006Z","level":"INFO","target":"svc::http","message":"GET /health",' +
        '"status":200,"note":"two words","nested":{"list":[1,null,true]},' +
        '"trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"b7ad6b7169203331"}\n',
    )
  })

  test(`${name}: compact is one line for people`, () => {
    assert.is(
      print(create, record, 'compact'),
      '2026-11-21T09:08:07.006Z  INFO svc::http: GET /health status=200 note="two words" ' +
        'nested={"list":[1,null,true]} trace_id=0af7651916cd43dd8448eb211c80319c span_id=b7ad6b7169203331\n',
    )
  })

  test(`${name}: pretty is several lines, coloured only if the option is set`, () => {
    const plain = print(create, record, 'pretty')
    assert.match(plain, '2026-11-21T09:08:07.006Z  INFO svc::http: GET /health\n    status: 200\n')
    assert.not.match(plain, '\u001b')
    assert.match(print(create, record, 'pretty', true), '\u001b[32m INFO\u001b[0m')
    assert.not.match(print(create, record, 'json', true), '\u001b')
  })

  test(`${name}: a field cannot replace a fixed member`, () => {
    const fields = {
      level: 'x',
      message: 'y',
      timestamp: 'z',
      target: 't',
      trace_id: 'i',
      ['__proto__']: 'p',
      err: 'e',
    }
    const line = print(create, { ...record, fields }, 'json')
    const entry = JSON.parse(line) as Record<string, unknown>
    assert.is(entry['level'], 'INFO')
    assert.is(entry['field_level'], 'x')
    assert.is(entry['field_trace_id'], 'i')
    assert.is(entry['field___proto__'], 'p')
    assert.is(entry['err'], 'e')
    assert.is(line.split('"level":').length, 2)
  })

  test(`${name}: fields that look like a request of node:http are fields`, () => {
    const fields = { method: 'GET', headers: { host: 'a' }, socket: {}, setHeader: () => 0, err: new Error('broken') }
    const entry = JSON.parse(print(create, { ...record, fields }, 'json')) as Record<string, unknown>
    assert.is(entry['method'], 'GET')
    assert.is(entry['message'], 'GET /health')
    assert.is((entry['err'] as { message: string }).message, 'broken')
    assert.not('req' in entry)
    assert.not('msg' in entry)
  })

  test(`${name}: no text of a client starts a line or controls a terminal`, () => {
    const evil = 'a\nb\r\u001b[2J\u2028\u0085c'
    for (const format of ['json', 'compact', 'pretty'] as const) {
      const printed = print(create, { ...record, message: evil, target: evil, fields: { [evil]: evil } }, format)
      // JSON readers split only at LF, so the JSON format may keep the upper control characters.
      assert.not.match(printed, format === 'json' ? /[\u001b\r]/ : /[\u001b\r\u2028\u0085]/, format)
      if (format !== 'pretty') assert.is(printed.indexOf('\n'), printed.length - 1)
      else assert.is(printed.split('\n').filter((line) => /^[ab]/.test(line)).length, 0)
    }
  })
}

test('secrets are redacted by type and by name, also in nested values', () => {
  const key = 'correct horse battery staple'
  const typed = { toJSON: () => '[redacted]', toString: () => '[redacted]', [inspect.custom]: () => '[redacted]' }
  const fields = {
    typed,
    apiKey: key,
    'X-API-Key': key,
    jwt_secret: { deep: key },
    headers: new Map([['authorization', `Bearer ${key}`]]),
    list: [{ password: key }],
    error: Object.assign(new Error('x'), { token: key }),
    tokens: 12,
    tokenizer: 'fast',
  }
  for (const [name, create] of variants) {
    for (const format of ['json', 'compact', 'pretty'] as const) {
      const printed = print(create, { ...record, fields }, format)
      assert.not.match(printed, key, `${name} ${format}`)
      assert.ok(printed.split('[redacted]').length >= 7, `${name} ${format}`)
      assert.match(printed, 'fast')
    }
    assert.is((JSON.parse(print(create, { ...record, fields }, 'json')) as { tokens: number }).tokens, 12)
  }
})

test('a getter that throws loses its own value only, and the errors of an AggregateError are shown', () => {
  const broken = {
    status: 200,
    get lazy(): string {
      throw new Error('not yet')
    },
  }
  const error = new AggregateError(
    [new Error('::1 refused'), new TypeError('127.0.0.1 refused')],
    'no address answered',
  )
  Object.defineProperty(error, 'name', {
    get: () => {
      throw new Error('not yet')
    },
  })
  for (const [name, create] of variants) {
    for (const format of ['json', 'compact', 'pretty'] as const) {
      const printed = print(create, { ...record, fields: broken }, format)
      assert.match(printed, '200', `${name} ${format}`)
      assert.match(printed, '[unreadable]', `${name} ${format}`)
    }
    const entry = JSON.parse(print(create, { ...record, fields: { error, nested: broken } }, 'json')) as {
      readonly error: {
        readonly name: string
        readonly message: string
        readonly errors: readonly Record<string, string>[]
      }
      readonly nested: unknown
    }
    assert.equal(entry.nested, { status: 200, lazy: '[unreadable]' })
    assert.is(entry.error.name, '[unreadable]')
    assert.is(entry.error.message, 'no address answered')
    assert.equal(
      entry.error.errors.map((one) => `${one['name']}: ${one['message']}`),
      ['Error: ::1 refused', 'TypeError: 127.0.0.1 refused'],
    )
  }
})

test('values that JSON cannot express are shown, and no value breaks the log', () => {
  const circular: Record<string, unknown> = { name: 'ring' }
  circular['self'] = circular
  const fields = {
    circular,
    big: 12n,
    nan: Number.NaN,
    bytes: new Uint8Array(3),
    when: new Date(0),
    bad: new Date(Number.NaN),
    set: new Set([1]),
    nothing: undefined,
    run: () => 1,
    long: 'x'.repeat(100_000),
    many: Array.from({ length: 1_000 }, (_, i) => i),
    thrower: {
      get member(): string {
        throw new Error('no')
      },
    },
    cause: new Error('outer', { cause: new TypeError('inner') }),
    proxy: new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    ),
  }
  for (const [name, create] of variants) {
    const line = print(create, { ...record, fields }, 'json')
    assert.ok(line.length < 40_000, name)
    const entry = JSON.parse(line) as Record<string, unknown>
    assert.equal(entry['circular'], { name: 'ring', self: '[circular]' })
    assert.is(entry['big'], '12')
    assert.is(entry['nan'], 'NaN')
    assert.is(entry['bytes'], '[3 bytes]')
    assert.is(entry['when'], '1970-01-01T00:00:00.000Z')
    assert.equal(entry['set'], [1])
    assert.not('nothing' in entry)
    assert.not('run' in entry)
    assert.is((entry['many'] as unknown[]).at(-1), '[900 more]')
    assert.equal(entry['thrower'], { member: '[unreadable]' })
    assert.is(entry['proxy'], '[unreadable]')
    assert.match(line, 'inner')
  }
})

test('property: both sinks write the same entry, in every format', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 150 })
  const value = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.bigInt(), fc.object({ maxDepth: 2 }))
  fc.assert(
    fc.property(text, fc.dictionary(text, value, { maxKeys: 5 }), (message, fields) => {
      for (const format of ['json', 'compact', 'pretty'] as const) {
        const [pinos, ours] = variants.map(([, create]) => print(create, { ...record, message, fields }, format))
        assert.is(ours, pinos)
      }
      JSON.parse(print(createLiteSink, { ...record, message, fields }, 'json'))
    }),
  )
})

test('a field whose name is a number follows the timestamp, like all other fields', () => {
  for (const [name, create] of variants) {
    const line = print(create, { ...record, fields: { 0: 'zero', later: 1 } }, 'json')
    assert.match(line, /^\{"timestamp":.*"field_0":"zero","later":1[,}]/, name)
  }
})

test('both sinks print fields that look like a request of node:http the same', () => {
  const fields = { method: 'GET', headers: { host: 'x' }, socket: 'y', err: { message: 'z' } }
  const [pinos, ours] = variants.map(([, create]) => print(create, { ...record, fields }, 'json'))
  assert.is(ours, pinos)
})

test.run()
