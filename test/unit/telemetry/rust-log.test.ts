import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LogLevel } from '../../../core/log.ts'
import { type Directive, parseDirectives } from '../../../plugins/telemetry/logs/directives.ts'
import { createLevelFilter, defaultFilter } from '../../../plugins/telemetry/logs/level-filter.ts'
import { testUnless } from '../../support/skip.ts'
import { noVectors, vectorCases } from '../../support/vectors.ts'

const dialect = 'tracing-envfilter'
const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug', 'trace']

interface Row {
  readonly name: string
  readonly dialect: string
  readonly directives: string
}

/** A test of the rows of a vector file that use the dialect of the service. */
function overVectors<R extends Row>(name: string, file: string, run: (rows: readonly R[]) => void): void {
  testUnless(test, noVectors, name, () => run(vectorCases<R>(file).filter((one) => one.dialect === dialect)))
}

interface ParseRow extends Row {
  readonly expected: readonly Directive[]
  readonly ignored_count: number
}

overVectors<ParseRow>('directives are parsed as in the vectors', 'rust_log/parse.json', (cases) => {
  assert.ok(cases.length > 20)
  for (const { name, directives, expected, ignored_count } of cases) {
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

overVectors<EnabledRow>('the filter decides as in the vectors', 'rust_log/enabled.json', (cases) => {
  assert.ok(cases.length > 400)
  for (const { name, directives, target, level, enabled } of cases) {
    assert.is(createLevelFilter(directives).enabled(level, target), enabled, name)
  }
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

test('property: order is irrelevant between different targets, and severity is monotonic', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(word, levelOrOff), { selector: ([prefix]) => prefix }),
      word,
      (pairs, target) => {
        const text = pairs.map(([prefix, level]) => `${prefix}=${level}`)
        const forward = createLevelFilter(text.join(','))
        const backward = createLevelFilter(text.toReversed().join(','))
        let shown = true
        for (const level of levels) {
          assert.is(forward.enabled(level, target), backward.enabled(level, target))
          assert.ok(shown || !forward.enabled(level, target))
          shown = forward.enabled(level, target)
        }
      },
    ),
  )
})

test('property: no text throws, and every piece is either kept or refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'a1[]{}=,: -_*"'.split('')) })), (text) => {
      const { directives, refused } = parseDirectives(text)
      assert.is(directives.length + refused.length, text.split(',').filter((piece) => piece.trim() !== '').length)
      createLevelFilter(text).enabled('info', text)
    }),
  )
})

test.run()
