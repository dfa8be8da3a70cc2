/** Flags: the bundler folds every use that the check accepts, and would keep every use that the check refuses. */
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definesIn, judgeDefines } from '../../../scripts/build/plan/check-defines.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('flags')
const declared = new Map([
  ['__EDGE__', { variants: [], chooses: true }],
  ['__EDGE_LOG__', { variants: ['plain', 'colour'], chooses: true }],
])

/** Whether the bundle of `code` contains a file that only the dead branch of a false flag imports. */
async function takesHeavy(code: string, files: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const folder = folderWith({
    'heavy.ts': "import 'node:fs'; console.log('heavy'); export const heavy = 1",
    'entry.ts': code,
    ...files,
  })
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['entry.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    define: { __EDGE__: 'false', __EDGE_LOG__: '"plain"' },
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  return 'heavy.ts' in metafile.inputs
}

const accepted: Readonly<Record<string, string>> = {
  'a condition': "if (__EDGE__) void import('./heavy.ts')",
  'a negated condition': "if (!__EDGE__) { console.log(1) } else { void import('./heavy.ts') }",
  'a choice': "export const load = __EDGE__ ? () => import('./heavy.ts') : undefined",
  'a condition before another condition': "if (__EDGE__ && process.argv.length > 2) void import('./heavy.ts')",
  'a condition after another condition': "if (process.argv.length > 2 && __EDGE__) void import('./heavy.ts')",
  'a short circuit': "__EDGE__ && void import('./heavy.ts')",
  'a variant compared as a string': "if (__EDGE_LOG__ === 'colour') void import('./heavy.ts')",
  'a variant with !==': "export const load = __EDGE_LOG__ !== 'plain' ? () => import('./heavy.ts') : undefined",
  'a typeof check for sources that are not bundled':
    "if (typeof __EDGE__ === 'undefined' || __EDGE__) void import('./heavy.ts')",
}

for (const [name, code] of Object.entries(accepted)) {
  test(`${name} is accepted and folded`, async () => {
    assert.equal(judgeDefines(declared, definesIn(code, 'a.ts')), [])
    assert.is(await takesHeavy(code), false)
  })
}

const refused: Readonly<Record<string, string>> = {
  'a property': "const f = { edge: __EDGE__ }\nif (f.edge) void import('./heavy.ts')",
  'a function': "const edge = () => __EDGE__\nif (edge()) void import('./heavy.ts')",
  'an argument': "const on = (x: boolean) => x\nif (on(__EDGE__)) void import('./heavy.ts')",
  'a stored type': "const kind = typeof __EDGE__\nif (kind === 'number') void import('./heavy.ts')",
  'a stored comparison': "const f = { on: __EDGE_LOG__ === 'colour' }\nif (f.on) void import('./heavy.ts')",
  'a constant from another file': "import { edge } from './flag.ts'\nif (edge) void import('./heavy.ts')",
}

for (const [name, code] of Object.entries(refused)) {
  test(`${name} is refused, and would not be folded`, async () => {
    const flagFile = 'export const edge = __EDGE__'
    const uses = [...definesIn(code, 'a.ts'), ...(code.includes('./flag.ts') ? definesIn(flagFile, 'flag.ts') : [])]
    assert.equal(
      judgeDefines(declared, uses).map(({ code }) => code),
      ['ERR_FLAG_ALIASED'],
    )
    assert.is(await takesHeavy(code, { 'flag.ts': flagFile }), true)
  })
}

test('undeclared, unused and aliased flags are reported together, with their places', () => {
  const uses = definesIn('const a = 1\nif (__NOBODY__) a\nexport const b = __EDGE__', 'plugins/x/y.ts')
  const problems = judgeDefines(new Map([...declared, ['__IDLE__', { variants: [], chooses: false }]]), uses)
  assert.equal(
    problems.map(({ code }) => code),
    ['ERR_FLAG_UNDECLARED', 'ERR_FLAG_ALIASED', 'ERR_FLAG_UNUSED'],
  )
  assert.match(problems[0]!.message, 'plugins/x/y.ts:2')
  assert.match(problems[1]!.message, 'plugins/x/y.ts:3')
  assert.match(problems[2]!.message, '__IDLE__')
  for (const { hint } of problems) assert.ok(hint)
})

test('an unknown variant, and a variant of a define without variants, are reported', () => {
  const uses = definesIn("if (__EDGE_LOG__ === 'color') 1\nif (__EDGE__ === 'plain') 1", 'a.ts')
  const problems = judgeDefines(declared, uses)
  assert.equal(
    problems.map(({ message, hint }) => `${message} ${hint}`),
    [
      "a.ts:1: __EDGE_LOG__ is never 'color'. It may be plain, colour.",
      "a.ts:2: __EDGE__ is never 'plain'. It is true or false.",
    ],
  )
})

test('the declaration of a flag for the compiler is not a use', () => {
  assert.equal(definesIn('declare const __EDGE__: boolean', 'a.ts'), [])
})

test('a flag in a comment or a string is not a use', () => {
  assert.equal(definesIn("// __EDGE__\nconst a = '__EDGE__'", 'a.ts'), [])
})

test.run()
