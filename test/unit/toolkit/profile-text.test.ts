/** The text of a profile's file after `svc-build configure`. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FeatureSet } from '../../../core/declare/matrix.ts'
import { linesOf } from '../../../scripts/build/account/choice-lines.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { lineDiff } from '../../../scripts/toolkit/configure/file/line-diff.ts'
import { entriesFor } from '../../../scripts/toolkit/configure/file/profile-syntax.ts'
import { changedText, newProfileText } from '../../../scripts/toolkit/configure/file/profile-text.ts'
import type { Choice } from '../../../scripts/toolkit/configure/model/catalogue.ts'
import { openCatalogue } from '../../../scripts/toolkit/configure/model/catalogue.ts'
import { choiceOf, toggle } from '../../../scripts/toolkit/configure/model/choice.ts'
import { countOf } from '../../support/count.ts'

const test = suite('svc-build configure: the file')

const none = { library: {}, main: {}, builtins: [] }

const written = `// Ours.
import { defineProfile } from 'svc/plugin'
import { contract } from './quote/contract.ts'

export const profile = defineProfile({
  name: 'edge', // the name
  summary: 'A small server',
  extends: 'minimal',
  library: {
    // Why these features.
    features: {
      'auth.exchange': false, // nobody exchanges
      'edge.quote': true,

      /* Logs cost too much. */
      'telemetry.logs': false
    },
    gzipLimit: 64 * 1024,
  },
  own: { 'edge.quote': { summary: 'Quotes', stability: 'stable', since: '1.0.0', platform: 'web', contract } },
  builtins: ['node:os'],
})
`

test('only the lines that change are touched', () => {
  const text = changedText(written, {
    library: { 'auth.exchange': undefined, 'auth.jwks': false, 'telemetry.logs': 'console', 'telemetry.traces': true },
    main: { console: true },
    builtins: ['node:fs', 'node:zlib'],
  })!
  assert.equal(
    lineDiff(written, text).filter((line) => /^[+-]/.test(line)),
    [
      "-       'auth.exchange': false, // nobody exchanges",
      "+       'auth.jwks': false,",
      "-       'telemetry.logs': false",
      "+       'telemetry.logs': 'console',",
      "+       'telemetry.traces': true,",
      '+   main: { features: { console: true } },',
      "-   builtins: ['node:os'],",
      "+   builtins: ['node:fs', 'node:os', 'node:zlib'],",
    ],
  )
  assert.is(changedText(written, none), written)
})

test('lists on one line stay so while there is room', () => {
  const text = (features: string): string =>
    `export const profile = { name: 'e', summary: 's', library: { features: ${features} } }\n`
  const changed = (
    features: string,
    library: Readonly<Record<string, boolean | string | undefined>>,
  ): string | undefined => changedText(text(features), { ...none, library })
  assert.is(changed('{}', { probes: true }), text('{ probes: true }'))
  assert.is(changed('{ probes: true }', { probes: undefined }), text('{}'))
  assert.is(
    changed("{ 'a.a': true, 'c.c': 'x' }", { 'b.b': true, 'c.c': 'y' }),
    text("{ 'a.a': true, 'b.b': true, 'c.c': 'y' }"),
  )
  assert.is(
    changed("{ 'c.c': true, 'a.a': true }", { 'b.b': false }),
    text("{ 'c.c': true, 'a.a': true, 'b.b': false }"),
    'no order, so at the end',
  )
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`feature.number-${index}`, true]))
  assert.match(
    changed('{}', many)!,
    /features: \{\n {2}'feature\.number-0': true,\n[\s\S]*number-8': true,\n\} \} \}\n$/,
  )
})

test('every way to write a profile is found, and quotes are those of the file', () => {
  const ways = [
    'const edge = { name: "e", summary: "s", library: { features: {} } }\nexport default edge\n',
    'export default { name: "e", summary: "s", library: { features: {} } } satisfies Profile\n',
    'export const profile: Profile = defineProfile({ name: "e", library: { features: {} } } as Profile)\n',
  ]
  for (const way of ways)
    assert.match(changedText(way, { ...none, library: { 'a.b': 'c' } })!, /features: \{ "a\.b": "c" \}/)
})

test('a text that is not understood is not changed', () => {
  const change = { ...none, library: { probes: false } }
  const texts = [
    'export const profile = make()\n',
    'export const profile = { library }\n',
    'export const profile = { library: { features } }\n',
    'export const profile = { library: { features: pick() } }\n',
    'export const profile = { library: { features: { probes: process.env.X === "1" } } }\n',
    'module.exports = {}\n',
    '',
  ]
  for (const text of texts) assert.is(changedText(text, change), undefined, text)
  const spread = 'export const profile = { library: { features: { ...base } } }\n'
  assert.match(changedText(spread, change)!, /\{ \.\.\.base, probes: false \}/)
})

test('for any choice, the changed file makes exactly this choice', async () => {
  const parent = await loadProfile('minimal')
  const catalogue = await openCatalogue(parent)
  const ownFeatures = { library: { 'auth.exchange': false, 'telemetry.logs': false }, main: {} }
  const opened = {
    ...parent,
    library: { ...parent.library, features: { ...parent.library.features, ...ownFeatures.library } },
  }
  const text = written.replaceAll("      'edge.quote': true,\n", '')
  await fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.keys(catalogue.knownFeatures)), { maxLength: 8 }), (ids) => {
      const choice = ids.reduce<Choice>((now, id) => toggle(catalogue, now, id), choiceOf(opened))
      const changed = changedText(text, { ...entriesFor({ ownFeatures, parent }, choice), builtins: [] })!
      const lines = linesOf(changed, 'edge.ts')
      const listed = (form: string): FeatureSet =>
        Object.fromEntries(
          lines
            .filter((line) => line.form === form)
            .map(({ feature, choice: value }) => [
              feature,
              value.startsWith("'") ? value.slice(1, -1) : value === 'true',
            ]),
        )
      const library = { ...parent.library, features: { ...parent.library.features, ...listed('library') } }
      const main = { ...parent.main!, features: { ...parent.main!.features, ...listed('main') } }
      const made = choiceOf({ library, main })
      assert.equal([sorted(made.library), sorted(made.main!)], [sorted(choice.library), sorted(choice.main!)])
    }),
    { numRuns: countOf({ quick: 100, deep: 3_000 }) },
  )
})

function sorted(features: FeatureSet): [string, boolean | string][] {
  return Object.entries(features).sort(([a], [b]) => (a < b ? -1 : 1))
}

test('a new profile is what a person would write', () => {
  const text = changedText(newProfileText('edge', 'minimal'), {
    library: { 'edge.x': true },
    main: {},
    builtins: ['node:fs'],
  })
  assert.is(
    text,
    `import { defineProfile } from 'svc/plugin'

export const profile = defineProfile({
  name: 'edge',
  summary: 'A service based on minimal',
  extends: 'minimal',
  library: { features: { 'edge.x': true } },
  builtins: ['node:fs'],
})
`,
  )
})

test('long lists of a new profile have a line for each member', () => {
  const main = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`feature.number-${index}`, true]))
  const builtins = Array.from({ length: 9 }, (_, index) => `node:built-in-${index}`)
  const text = changedText(newProfileText('edge', 'minimal'), { library: main, main, builtins })!
  assert.match(text, /^ {2}library: \{\n {4}features: \{\n {6}'feature\.number-0': true,\n/m)
  assert.match(text, /^ {6}'feature\.number-5': true,\n {4}\},\n {2}\},\n {2}main: \{\n {4}features: \{\n/m)
  assert.match(text, /^ {2}builtins: \[\n {4}'node:built-in-0',\n[\s\S]*\n {2}\],\n\}\)\n$/m)
})

test('a difference has its lines with three lines around', () => {
  assert.equal(lineDiff('a\n', 'a\n'), [])
  assert.equal(lineDiff('', 'a\nb\n'), ['+ a', '+ b'])
  const before = Array.from({ length: 20 }, (_, index) => `${index}`)
  const after = before.with(10, 'x')
  assert.equal(lineDiff(before.join('\n'), after.join('\n')), [
    '  7',
    '  8',
    '  9',
    '- 10',
    '+ x',
    '  11',
    '  12',
    '  13',
    '  …',
  ])
})

test.run()
