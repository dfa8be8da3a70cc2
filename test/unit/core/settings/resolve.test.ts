import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../../core/declare/errors.ts'
import { Secret } from '../../../../core/declare/secret.ts'
import {
  deprecated,
  dictionary,
  integer,
  list,
  type SettingsTable,
  secret,
  text,
} from '../../../../core/declare/settings.ts'
import {
  type AbsentSettings,
  resolveSettings,
  type SettingRefusal,
  type SettingsProblem,
  type SettingsSources,
  toVariable,
} from '../../../../core/kernel/settings/resolve.ts'
import { serverSettings } from '../../../../core/kernel/settings/server.ts'
import { failure } from '../../../support/throws.ts'

const test = suite('core: settings')

const table: SettingsTable = {
  'server.port': integer({ default: 8080, max: 65_535, summary: '' }),
  'server.host': text({ default: '127.0.0.1', summary: '' }),
  'security.jwt_secret': secret({ summary: '' }),
  'realtime.topics': list({ default: [], summary: '' }),
  'probes.tool_servers': dictionary({ default: {}, summary: '' }),
}
const config = (value: unknown): SettingsSources => ({ config: { name: 'svc.json', value } })

/** Resolves settings that must be refused, and returns the problems. */
function problems(sources: SettingsSources, absent?: AbsentSettings): SettingsProblem[] {
  const error = failure('ERR_SETTINGS_INVALID', () => resolveSettings(table, sources, absent))
  const listed = error.details!['problems'] as SettingsProblem[]
  for (const { source, message } of listed) assert.ok(error.message.includes(`${source}: ${message}`))
  return listed
}

test('the environment overrides the file, and the file overrides the defaults', () => {
  const none = resolveSettings(table)
  assert.is(none.values['server.port'], 8080)
  assert.is(none.sourceNames.size, 0)
  const both = resolveSettings(table, {
    ...config({ server: { port: 1, host: 'a' }, probes: { tool_servers: { x: 'http://x' } } }),
    environment: { SVC_SERVER__PORT: '2', SVC_SERVER__HOST: undefined, SVC_HOME: '/x', PATH: '/bin' },
  })
  assert.is(both.values['server.port'], 2)
  assert.is(both.values['server.host'], 'a')
  assert.equal(both.values['probes.tool_servers'], { x: 'http://x' })
  assert.equal([...both.sourceNames.keys()].toSorted(), ['probes.tool_servers', 'server.host', 'server.port'])
  assert.equal(both.warnings, [])
})

test('nested keys, flat keys and variables with the same values give the same settings', () => {
  const values = fc.record(
    { 'server.port': fc.integer({ min: 0, max: 65_535 }), 'server.host': fc.stringMatching(/^[a-z](?:.*[a-z])?$/) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(values, (flat) => {
      const server = Object.fromEntries(Object.entries(flat).map(([key, value]) => [key.slice(7), value]))
      const nested = resolveSettings(table, config({ server }))
      const same = (other: ReturnType<typeof resolveSettings>): void => {
        assert.equal(nested.values, other.values)
        assert.equal([...nested.sourceNames.keys()].sort(), [...other.sourceNames.keys()].sort())
      }
      same(resolveSettings(table, config(flat)))
      const environment = Object.fromEntries(
        Object.entries(flat).map(([key, value]) => [toVariable(key), String(value)]),
      )
      same(resolveSettings(table, { environment }))
    }),
  )
})

test('each given value has its source', () => {
  const { sourceNames } = resolveSettings(table, {
    ...config({ server: { port: 1, host: 'a' } }),
    environment: { SVC_SERVER__PORT: '2' },
    overrides: [{ name: '--host', key: 'server.host', value: 'b' }],
  })
  assert.equal([...sourceNames].sort(), [
    ['server.host', '--host'],
    ['server.port', 'SVC_SERVER__PORT'],
  ])
})

test('checks get all values, and their refusals are reported with other problems', () => {
  const seen: unknown[] = []
  const check = (values: Readonly<Record<string, unknown>>): SettingRefusal[] => {
    seen.push(values['server.port'], values['server.host'])
    return [
      { key: 'server.host', message: 'not on a Sunday', hint: 'Wait.' },
      { key: 'server.port', message: 'never said' },
      { key: 'realtime.topics', message: 'too few' },
    ]
  }
  const sources = { ...config({ server: { port: 'x', host: 'a' } }), environment: {} }
  const error = failure('ERR_SETTINGS_INVALID', () => resolveSettings(table, sources, {}, [check]))
  assert.equal(seen, [8080, 'a'])
  assert.equal(
    (error.details!['problems'] as SettingsProblem[]).map(({ source, message }) => `${source}: ${message}`),
    [
      'svc.json: server.port: expected an integer from 0 to 65535, got "x"',
      'svc.json: server.host: not on a Sunday',
      'SVC_REALTIME__TOPICS: too few',
    ],
  )
  assert.match(error.message, '  svc.json: server.host: not on a Sunday\n    → Wait.')
})

test('a program names settings by their variables, a library without an environment by their keys', () => {
  const check = (): SettingRefusal[] => [
    { key: 'security.jwt_secret', message: 'missing', hint: 'Set {security.jwt_secret}, or {server.port}=1.' },
  ]
  const said = (sources: SettingsSources): string =>
    failure('ERR_SETTINGS_INVALID', () => resolveSettings(table, sources, {}, [check]))
      .message.split('\n')
      .slice(1)
      .join()
  assert.is(
    said({ environment: {} }),
    '  SVC_SECURITY__JWT_SECRET: missing,    → Set SVC_SECURITY__JWT_SECRET, or SVC_SERVER__PORT=1.',
  )
  const byKeys = '  settings: security.jwt_secret: missing,    → Set security.jwt_secret, or server.port=1.'
  assert.is(said({}), byKeys)
  assert.is(said({ config: { name: 'settings', value: {} } }), byKeys)
})

test('all problems are reported together, with key, source and expectation', () => {
  const found = problems({
    ...config({ server: { port: 'x', hots: 'a' }, realtime: { topics: [1] }, whatever: { deep: true } }),
    environment: { SVC_SERVER__PORT: '70000', SVC_SERVER__HOST: '' },
  })
  assert.equal(found, [
    { key: 'server.port', source: 'svc.json: server.port', message: 'expected an integer from 0 to 65535, got "x"' },
    { key: 'server.hots', source: 'svc.json: server.hots', message: 'no such setting; did you mean server.host?' },
    { key: 'realtime.topics', source: 'svc.json: realtime.topics', message: 'expected a list of texts, got [1]' },
    { key: 'whatever.deep', source: 'svc.json: whatever.deep', message: 'no such setting' },
    { key: 'server.port', source: 'SVC_SERVER__PORT', message: 'expected an integer from 0 to 65535, got 70000' },
  ])
})

const guarded: SettingsTable = {
  'server.host': text({ default: 'localhost', summary: '' }),
  'server.trusted_proxies': list({ default: [], summary: '' }),
  'security.jwt_secret': secret({ summary: '' }),
  'security.jwt_audience': text<string | null>({ default: null, summary: '' }),
  'peer.listen': text<string | null>({ default: null, summary: '' }),
  'cluster.nats_password': secret({ summary: '' }),
  'probes.servers': dictionary({ default: {}, summary: '' }),
  'logs.filter': text({ default: 'info', variable: 'RUST_LOG', summary: '' }),
}

/** The messages of the problems of these sources, by key. */
function refused(sources: SettingsSources): Readonly<Record<string, string>> {
  try {
    resolveSettings(guarded, sources)
    return {}
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_SETTINGS_INVALID'))
    return Object.fromEntries(
      (error.details!['problems'] as SettingsProblem[]).map(({ key, message }) => [key, message]),
    )
  }
}

test('a text with white space, a control character or quotes around it is refused in every source, and a secret is not shown', () => {
  const secretText = 'a secret of the tests, longer than 32 bytes'
  for (const [given, part] of [
    ['x\n', 'without the line end (U+000A) at its end, got "x\\n"'],
    ['x\r', 'the line end (U+000D) at its end'],
    [' x', 'the space (U+0020) at its beginning'],
    ['x\t', 'the tab (U+0009) at its end'],
    ['x\u00a0', 'the character (U+00A0) at its end'],
    ['\ufeffx', 'the character (U+FEFF) at its beginning'],
    ['\u0007x', 'the character (U+0007) at its beginning'],
    ['"x"', 'the quotes around it'],
    ["'x'", 'the quotes around it'],
    ['""', 'the quotes around it'],
  ] as const) {
    for (const key of ['server.host', 'logs.filter']) {
      const [family, name] = key.split('.') as [string, string]
      const variable = `SVC_${family}__${name}`.toUpperCase()
      assert.match(refused({ environment: { [variable]: given } })[key]!, part)
      assert.match(refused(config({ [family]: { [name]: given } }))[key]!, part)
      assert.match(refused({ overrides: [{ name: '--x', key, value: given }] })[key]!, part)
    }
    const hidden = `${given}`.replace('x', secretText)
    const message = refused({ environment: { SVC_SECURITY__JWT_SECRET: hidden } })['security.jwt_secret']!
    assert.match(message, part.replace(/, got .*/, ''))
    assert.not.match(message, secretText)
  }
  assert.match(refused({ environment: { RUST_LOG: 'debug\n' } })['logs.filter']!, 'the line end')
  assert.match(
    refused({ environment: { SVC_SERVER__TRUSTED_PROXIES: '"10.0.0.1"' } })['server.trusted_proxies']!,
    'quotes',
  )
  assert.match(refused(config({ server: { trusted_proxies: ['a', 'b '] } }))['server.trusted_proxies']!, 'the space')
  assert.match(refused(config({ probes: { servers: { a: 'x\n' } } }))['probes.servers']!, 'the line end')
  assert.match(refused({ environment: { SVC_PROBES__SERVERS: `'{"a":"x"}'` } })['probes.servers']!, 'quotes')
  assert.match(refused(config({ security: { jwt_secret: new Secret('x\n') } }))['security.jwt_secret']!, 'the line end')
})

test('an empty variable counts as absent, except where that would take a protection away', () => {
  const empty = Object.fromEntries(
    Object.keys(guarded).map((key) => [`SVC_${key.replace('.', '__').toUpperCase()}`, '']),
  )
  assert.equal(Object.keys(refused({ environment: { ...empty, RUST_LOG: '' } })), [
    'server.trusted_proxies',
    'security.jwt_secret',
    'security.jwt_audience',
    'peer.listen',
    'cluster.nats_password',
  ])
  const { values } = resolveSettings(guarded, {
    ...config({ server: { host: 'file' } }),
    environment: { SVC_SERVER__HOST: '', RUST_LOG: '' },
  })
  assert.is(values['server.host'], 'file')
  assert.is(values['logs.filter'], 'info')
  for (const text of [' ', ',', ' , '])
    assert.ok('server.trusted_proxies' in refused({ environment: { SVC_SERVER__TRUSTED_PROXIES: text } }), text)
  assert.equal(refused({ environment: { SVC_SERVER__TRUSTED_PROXIES: '[]' } }), {})
})

test('a variable of the ecosystem sets a key; the SVC_ variable overrides it, and an override replaces both', () => {
  const own: SettingsTable = { 'log.filter': text({ default: 'info', variable: 'RUST_LOG', summary: '' }) }
  const value = (sources: SettingsSources): unknown => resolveSettings(own, sources).values['log.filter']
  const environment = { SVC_LOG__FILTER: 'ours', RUST_LOG: 'theirs' }
  const overrides = [{ name: '--filter', key: 'log.filter', value: 'command line' }]
  assert.is(value({ environment: { RUST_LOG: 'theirs' }, ...config({ log: { filter: 'file' } }) }), 'theirs')
  assert.is(value({ environment }), 'ours')
  assert.is(value({ environment, overrides }), 'command line')
})

test('a wrong override is reported with its own name', () => {
  const overrides = [
    { name: '--port', key: 'server.port', value: -1 },
    { name: '--prot', key: 'server.prot', value: 1 },
    { name: '--peers', key: 'sync.peers', value: 1 },
  ]
  const found = problems({ overrides }, { 'sync.peers': ['server-full'] })
  assert.equal(
    found.map(({ source, message }) => [source, message.slice(0, 36)]),
    [
      ['--port', 'expected an integer from 0 to 65535,'],
      ['--prot', 'no such setting; did you mean server'],
      ['--peers', 'this profile does not have the featu'],
    ],
  )
})

test('an unknown variable gives a warning with the nearest key', () => {
  const { warnings } = resolveSettings(table, {
    environment: { SVC_SERVER__PROT: '1', SVC_A__B: '1', SVC_SINGLE: '1' },
  })
  assert.equal(warnings, [
    { key: 'server.prot', source: 'SVC_SERVER__PROT', message: 'no such setting; did you mean SVC_SERVER__PORT?' },
    { key: 'a.b', source: 'SVC_A__B', message: 'no such setting' },
  ])
})

test('the refusal of a key of an absent feature names the profiles that have it', () => {
  const absent = { 'sync.max_targets': ['server-full'], 'sync.peers': ['server-full', 'big'], 'odd.key': [] }
  const found = problems(
    {
      ...config({ sync: { max_targets: 1, peers: { a: 'nested' } }, odd: { key: 1 } }),
      environment: { SVC_SYNC__MAX_TARGETS: '5' },
    },
    absent,
  )
  const said = 'this profile does not have the feature of this setting'
  assert.equal(
    found.map(({ key, message }) => [key, message]),
    [
      ['sync.max_targets', `${said}. Profiles that have it: server-full.`],
      ['sync.peers', `${said}. Profiles that have it: server-full, big.`],
      ['odd.key', `${said}. No standard profile has it.`],
      ['sync.max_targets', `${said}. Profiles that have it: server-full.`],
    ],
  )
})

test('all keys of an absent family are refused, at any depth', () => {
  const absent = { 'kbd.*': ['server-full'], 'server.mode': ['server-full'] }
  const found = problems(config({ kbd: { max_claims: 1, deep: { er: 2 } }, server: { mode: 'sync' } }), absent)
  const said = 'this profile does not have the feature of this setting. Profiles that have it: server-full.'
  assert.equal(
    found.map(({ key, message }) => [key, message]),
    ['kbd.max_claims', 'kbd.deep.er', 'server.mode'].map((key) => [key, said]),
  )
  assert.match(problems(config({ kbdx: { a: 1 } }), absent)[0]!.message, 'no such setting')
})

test('a file that is not an object is refused', () => {
  for (const value of [null, [], 'text', 5]) assert.match(problems(config(value))[0]!.message, 'expected a JSON object')
})

test('names of Object.prototype are not settings', () => {
  const value = JSON.parse('{"__proto__": {"port": 1}, "constructor": 1, "server": {"toString": 2}}') as unknown
  assert.equal(
    problems(config(value)).map(({ key }) => key),
    ['__proto__.port', 'constructor', 'server.toString'],
  )
  assert.is(({} as Record<string, unknown>)['port'], undefined)
})

test('no message contains the value of a secret', () => {
  const invalidSecret = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 100_000 }),
    fc.array(fc.stringMatching(/^hush\w{8}$/), { minLength: 1 }),
    fc.record({ hush: fc.stringMatching(/^hush\w{8}$/) }),
  )
  fc.assert(
    fc.property(invalidSecret, (value) => {
      const shown = problems(config({ security: { jwt_secret: value }, server: { port: -1 } }))
      assert.is(shown.length, 2)
      assert.is(shown[0]!.message, 'expected a text that is not empty')
    }),
  )
  const { values } = resolveSettings(table, { environment: { SVC_SECURITY__JWT_SECRET: 'hush' } })
  assert.is(JSON.stringify(values['security.jwt_secret']), '"[redacted]"')
})

test('a long value is cut in the message', () => {
  const [problem] = problems(config({ server: { port: 'x'.repeat(5_000) } }))
  assert.ok(problem!.message.length < 150)
})

test('every default of the server settings is valid', () => {
  for (const [key, setting] of Object.entries(serverSettings)) {
    assert.equal(setting.read(setting.default), setting.default, key)
    assert.ok(setting.summary!.endsWith('.'), key)
  }
})

test('a key that goes after this release still acts, and is warned of with its source; its default is not', () => {
  const going: SettingsTable = {
    ...table,
    'peer.max_exchanges': deprecated(integer({ default: 4, max: 64, summary: '' }), 'More at once are not faster.'),
  }
  assert.equal(resolveSettings(going).warnings, [])
  const { values, warnings } = resolveSettings(going, { environment: { SVC_PEER__MAX_EXCHANGES: '8' } })
  assert.is(values['peer.max_exchanges'], 8)
  assert.equal(warnings, [
    {
      key: 'peer.max_exchanges',
      source: 'SVC_PEER__MAX_EXCHANGES',
      message: 'acts for the last time in this release; leave it out. More at once are not faster.',
    },
  ])
})

test.run()
