/** Chains of imports, and the lines of profiles that choose features. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { linesOf } from '../../../scripts/build/account/choice-lines.ts'
import { shortestChains } from '../../../scripts/toolkit/explain/chains.ts'
import { html } from '../../../scripts/toolkit/report/sunburst.ts'

const test = suite('toolkit: explaining')

/** A bundle, given as its imports: `a → b c`. */
function bundle(...rows: readonly string[]): Parameters<typeof shortestChains>[0] {
  const inputs = rows.map((row) => {
    const [file, imports = ''] = row.split(' → ') as [string, string?]
    return [file, { bytes: 1, owner: 'core', imports: imports.split(' ') }] as const
  })
  return { entry: 'a', inputs: Object.fromEntries(inputs) }
}

test('all shortest chains are found, longer ones are not, and cycles end', () => {
  const diamond = bundle('a → b c', 'b → d a', 'c → d e', 'e → d', 'd → a')
  assert.equal(shortestChains(diamond, new Set(['d'])), {
    chains: [
      ['a', 'b', 'd'],
      ['a', 'c', 'd'],
    ],
    more: 0,
  })
  assert.equal(shortestChains(diamond, new Set(['a'])).chains, [['a']])
  assert.equal(shortestChains(diamond, new Set(['nowhere'])), { chains: [], more: 0 })
})

test('of several files only the nearest count, and chains above the limit are counted', () => {
  assert.equal(shortestChains(bundle('a → b c', 'b → d', 'c → e'), new Set(['c', 'd'])).chains, [['a', 'c']])
  const wide = bundle(
    `a → ${Array.from({ length: 30 }, (_, at) => `m${at}`).join(' ')}`,
    ...Array.from({ length: 30 }, (_, at) => `m${at} → z`),
    'z → a',
  )
  const { chains, more } = shortestChains(wide, new Set(['z']))
  assert.equal([chains.length, more], [20, 10])
})

test('the chains through layers of diamonds are counted without listing them', () => {
  const layers = Array.from({ length: 50 }, (_, at) => [
    `l${at} → p${at} q${at}`,
    `p${at} → l${at + 1}`,
    `q${at} → l${at + 1}`,
  ]).flat()
  const { chains, more } = shortestChains({ ...bundle(...layers, 'l50 → x'), entry: 'l0' }, new Set(['l50']))
  assert.equal([chains.length, more], [20, 2 ** 50 - 20])
})

test('the lines of a profile that choose features are found', () => {
  const text = `export const profile = defineProfile({
  name: 'edge',
  library: { features: { probes: true, 'auth.jwt': false } },
  main: {
    features: {
      'telemetry.logs': "lite",
    },
  },
  own: { 'edge.quote': { features: { not: true } } },
})`
  assert.equal(
    linesOf(text, 'edge.ts').map(({ feature, form, line, choice }) => `${line} ${form} ${feature} ${choice}`),
    ['3 library probes true', '3 library auth.jwt false', "6 main telemetry.logs 'lite'"],
  )
})

test('every value in a page is escaped once', () => {
  const hostile = `"><script>alert('1')</script>&amp;\``
  assert.is(
    html`<td title="${hostile}">${[hostile]}${html`<b>${'<'}</b>`}</td>`.text,
    '<td title="&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;&#96;">&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;&#96;<b>&#60;</b></td>',
  )
})

test.run()
