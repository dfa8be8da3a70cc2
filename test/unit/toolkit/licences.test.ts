/** Licences as SPDX expressions, compared with the allowed licences of a profile. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isAllowed } from '../../../scripts/build/policy/licences.ts'

const test = suite('toolkit: licences')
const allowed = ['MIT', 'Apache-2.0', 'BSD-3-Clause']

for (const [expression, wanted] of [
  ['MIT', true],
  ['ISC', false],
  ['mit', false],
  ['MIT OR GPL-3.0-only', true],
  ['GPL-3.0-only OR ISC', false],
  ['MIT AND BSD-3-Clause', true],
  ['MIT AND GPL-3.0-only', false],
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

test('an exception can be allowed separately, and a package without a licence is never allowed', () => {
  assert.ok(isAllowed('GPL-2.0-only WITH Classpath-exception-2.0', ['GPL-2.0-only WITH Classpath-exception-2.0']))
  assert.not.ok(isAllowed('GPL-2.0-only', ['GPL-2.0-only WITH Classpath-exception-2.0']))
  assert.not.ok(isAllowed(null, allowed))
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
