/** Licences as SPDX expressions, compared with the allowed licences of a profile. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { BundleAccount } from '../../../scripts/build/account/account.ts'
import { isAllowed } from '../../../scripts/build/policy/policy.ts'
import { sbomOf } from '../../../scripts/toolkit/sbom/sbom.ts'

const test = suite('toolkit: licences')
const allowed = ['MIT', 'Apache-2.0', 'BSD-3-Clause']

for (const [expression, wanted] of [
  ['MIT', true],
  ['ISC', false],
  ['mit', false],
  ['GPL-3.0-only OR MIT AND ISC', false],
  ['(GPL-3.0-only OR MIT) AND Apache-2.0', true],
  ['Apache-2.0 WITH LLVM-exception', true],
  ['GPL-2.0-only WITH Classpath-exception-2.0', false],
  ['', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['UNLICENSED', false],
  ['MIT)', false],
  ['(MIT', false],
  ['MIT MIT', false],
  ['MIT OR', false],
  ['MIT\u001b[2J', false],
  [`${'('.repeat(5_000)}MIT${')'.repeat(5_000)}`, false],
] as const) {
  test(`${JSON.stringify(expression.slice(0, 60))} is ${wanted ? '' : 'not '}allowed`, () => {
    assert.is(isAllowed(expression, allowed), wanted)
  })
}

test('a text that is no SPDX expression is allowed if the profile lists it as it is', () => {
  for (const text of ['Apache 2.0', 'SEE LICENSE IN LICENSE.md', 'UNLICENSED'])
    assert.ok(isAllowed(text, [text]) && !isAllowed(text, allowed))
})

test('an exception can be allowed separately, and a package without a licence is never allowed', () => {
  assert.ok(isAllowed('GPL-2.0-only WITH Classpath-exception-2.0', ['GPL-2.0-only WITH Classpath-exception-2.0']))
  assert.not.ok(isAllowed('GPL-2.0-only', ['GPL-2.0-only WITH Classpath-exception-2.0']))
  assert.not.ok(isAllowed(null, allowed))
})

test('only a valid SPDX expression is one in the bill of materials; any other text is the name of the licence', () => {
  const texts = ['MIT', 'MIT OR ISC', 'Apache 2.0', 'SEE LICENSE IN LICENSE.md', 'UNLICENSED', null]
  const places = texts.map((_, index) => `node_modules/p${index}`)
  const bundle: BundleAccount = {
    ...{ file: 'index.mjs', form: 'library', platform: 'web', bytes: 6, gzipBytes: 6, gzipTotal: 6, sha256: '' },
    ...{ parts: {}, entry: 'entry', assets: {}, externals: [], builtins: [] },
    inputs: Object.fromEntries(
      places.map((place) => [`${place}/x.js`, { bytes: 1, owner: 'core', package: place, imports: [] }]),
    ),
  }
  const packages = Object.fromEntries(
    places.map((place, index) => [place, { name: `p${index}`, version: '1.0.0', licence: texts[index]!, sha256: '' }]),
  )
  const rest = { version: 1, toolkit: '0.1.0', profile: 'edge', summary: '', features: {} } as const
  const { components } = sbomOf({ ...rest, bundles: [bundle], packages }) as unknown as {
    components: { licenses?: unknown }[]
  }
  assert.equal(
    components.map(({ licenses }) => licenses),
    [
      [{ license: { id: 'MIT' } }],
      [{ expression: 'MIT OR ISC' }],
      [{ license: { name: 'Apache 2.0' } }],
      [{ license: { name: 'SEE LICENSE IN LICENSE.md' } }],
      [{ license: { name: 'UNLICENSED' } }],
      undefined,
    ],
  )
})

test('an expression is evaluated with the logic of AND and OR, and no text throws', () => {
  const licence = fc.constantFrom('MIT', 'Apache-2.0', 'ISC', 'GPL-3.0-only')
  const { tree } = fc.letrec<{ tree: [string, boolean] }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      licence.map((name): [string, boolean] => [name, allowed.includes(name)]),
      fc
        .tuple(tie('tree'), tie('tree'), fc.boolean())
        .map(([[a, one], [b, other], and]): [string, boolean] => [
          `(${a} ${and ? 'AND' : 'OR'} ${b})`,
          and ? one && other : one || other,
        ]),
    ),
  }))
  fc.assert(fc.property(tree, ([text, wanted]) => text.length > 500 || isAllowed(text, allowed) === wanted))
  fc.assert(fc.property(fc.string({ maxLength: 600 }), (text) => typeof isAllowed(text, allowed) === 'boolean'))
})

test.run()
