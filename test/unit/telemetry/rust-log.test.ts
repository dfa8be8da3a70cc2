import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LogLevel } from '../../../core/kernel/log.ts'
import { type Directive, parseDirectives } from '../../../plugins/telemetry/logs/directives.ts'
import { createLevelFilter, defaultFilter } from '../../../plugins/telemetry/logs/level-filter.ts'
import { collected } from '../../support/vectors/collections.ts'

const dialect = 'tracing-envfilter'
const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug', 'trace']

interface Row {
  readonly name: string
  readonly dialect: string
  readonly directives: string
}

/** The rows of a collection that use the dialect of the service. */
const rowsOf = <R extends Row>(file: string): readonly R[] =>
  collected<R>(`rust_log/${file}.json`).filter((one) => one.dialect === dialect)

interface ParseRow extends Row {
  readonly expected: readonly Directive[]
  readonly ignored_count: number
}

test('directives are parsed as in the collection', () => {
  for (const { name, directives, expected, ignored_count } of rowsOf<ParseRow>('parse')) {
    const parsed = parseDirectives(directives)
    assert.equal(parsed.directives, expected, name)
    assert.is(parsed.refused.length, ignored_count, name)
  }
})

interface EnabledRow extends Row {
  readonly target: string
  readonly level: LogLevel
  readonly enabled: boolean
}

/** Filters, and the most detailed level that each target is written at. */
const thresholds: readonly (readonly [string, Readonly<Record<string, LogLevel | 'off'>>])[] = [
  ['', { svc: 'error' }],
  ['debug', { svc: 'debug', 'svc::http': 'debug', x: 'debug' }],
  ['off', { svc: 'off' }],
  ['svc', { svc: 'trace', x: 'off' }],
  ['warn,svc=debug', { svc: 'debug', 'svc::http': 'debug', svcx: 'debug', x: 'warn' }],
  ['svc=debug,svc::http=off', { svc: 'debug', 'svc::http': 'off', 'svc::http::h1': 'off', 'svc::ht': 'debug' }],
  ['svc::http=trace,svc=info', { 'svc::http': 'trace', svc: 'info' }],
  ['svc=info,svc=trace', { svc: 'trace' }],
  ['info,debug', { svc: 'debug' }],
  ['SVC=debug,Svc=Info', { SVC: 'debug', Svc: 'info', svc: 'off' }],
  ['5,svc=2', { x: 'trace', svc: 'warn' }],
  ['info,svc=loud', { svc: 'info' }],
  ['*', { svc: 'error' }],
]

test('the filter decides for each level and target', () => {
  for (const [directives, targets] of thresholds)
    for (const [target, most] of Object.entries(targets))
      for (const level of levels) {
        const expected = most !== 'off' && levels.indexOf(level) <= levels.indexOf(most)
        assert.is(
          createLevelFilter(directives).enabled(level, target),
          expected,
          `${directives}: ${level} of ${target}`,
        )
      }
  for (const { name, directives, target, level, enabled } of rowsOf<EnabledRow>('enabled'))
    assert.is(createLevelFilter(directives).enabled(level, target), enabled, name)
})

test('each form of a directive is parsed', () => {
  const one = (text: string): Directive => {
    const { directives, refused } = parseDirectives(text)
    assert.equal(refused, [], text)
    return directives[0]!
  }
  assert.equal(one('WARN'), { target: null, level: 'warn', span: null, fields: [] })
  assert.equal(one('3'), { target: null, level: 'info', span: null, fields: [] })
  assert.equal(one('6'), { target: '6', level: 'trace', span: null, fields: [] })
  assert.equal(one('svc::http'), { target: 'svc::http', level: 'trace', span: null, fields: [] })
  assert.equal(one('svc=0'), { target: 'svc', level: 'off', span: null, fields: [] })
  assert.equal(one(' svc=debug '), { target: 'svc', level: 'debug', span: null, fields: [] })
  assert.equal(one('svc[push]'), { target: 'svc', level: 'trace', span: 'push', fields: [] })
  assert.equal(one('[{user="a"}]=info'), { target: null, level: 'info', span: null, fields: ['user="a"'] })
  assert.equal(one('svc[push{id}]=info'), { target: 'svc', level: 'info', span: 'push', fields: ['id'] })
})

test('an invalid directive is refused, and the other directives apply', () => {
  for (const bad of ['*=debug', 'a=loud', 'a=6', 'a=b=c', 'a[', 'a[s', 'a[s]x', 'a[s{f]', 'a[s{}]', '=info', '!']) {
    const { directives, refused } = parseDirectives(`info,${bad},b=debug`)
    assert.equal(refused, [bad])
    assert.is(directives.length, 2, bad)
  }
})

test('the default filter shows info entries of all targets, and debug entries of the service', () => {
  const { enabled, diagnostics } = createLevelFilter(defaultFilter)
  assert.ok(enabled('debug', 'svc::http'))
  assert.not(enabled('trace', 'svc::http'))
  assert.ok(enabled('info', 'other'))
  assert.not(enabled('debug', 'other'))
  assert.equal(diagnostics, [])
})

test('directives without effect are reported once per kind', () => {
  const { diagnostics, enabled } = createLevelFilter('info,a=loud,b=louder,[span]=trace,c[{field}]=debug')
  assert.is(diagnostics.length, 2)
  assert.match(diagnostics[0]!, '"a=loud", "b=louder"')
  assert.match(diagnostics[1]!, 'spans and fields')
  assert.not(enabled('debug', 'c'))
})

test('a filter with only span directives still shows errors', () => {
  const { enabled } = createLevelFilter('[span]=trace')
  assert.ok(enabled('error', 'svc'))
  assert.not(enabled('warn', 'svc'))
})

const word = fc.stringMatching(/^[a-z]{1,3}(::[a-z]{1,2}){0,2}$/)
const levelOrOff = fc.constantFrom<LogLevel | 'off'>('off', ...levels)

test('property: the longest prefix decides, and of equal prefixes the later one', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, levelOrOff), { minLength: 1, maxLength: 8 }), word, (pairs, target) => {
      const { enabled } = createLevelFilter(pairs.map(([prefix, level]) => `${prefix}=${level}`).join(','))
      let best: [string, LogLevel | 'off'] = ['', 'off']
      for (const pair of pairs) {
        if (target.startsWith(pair[0]) && pair[0].length >= best[0].length) best = pair
      }
      for (const level of levels) {
        const expected = best[1] !== 'off' && levels.indexOf(level) <= levels.indexOf(best[1])
        assert.is(enabled(level, target), expected)
      }
    }),
  )
})

test.run()
