/** No bundle contains what only readers and the toolkit need of a feature. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { operationsOfRoutes } from '../../../core/declare/operations-of-routes.ts'
import { foldAbout, withoutAbout } from '../../../scripts/build/generate/without-about.ts'
import { root } from '../../../scripts/build/paths.ts'
import { matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'
import { folderWith } from '../../support/folder.ts'

const values = Object.entries(matrixFeatures).flatMap(([id, { value, declaration, summary }]) =>
  value === undefined
    ? []
    : [{ id, file: declaration!, summary, operations: Object.values(operationsOfRoutes(value.made)) }],
)

test('a folded feature has neither its texts nor the imports that only they use', async () => {
  assert.ok(values.length > 0)
  for (const { id, file, summary, operations } of values) {
    const { code: folded } = await foldAbout(readFileSync(file, 'utf8'), file)
    for (const text of [summary, ...operations.flatMap(({ answers }) => Object.values(answers))])
      assert.not.match(folded, typeof text === 'string' ? text : text.description, id)
    for (const name of ['contract.ts', 'core/declare/operation.ts', 'described(', 'import.meta'])
      assert.not.match(folded, name, `${id}: ${name}`)
    assert.match(folded, 'defineFeature', id)
  }
})

test('nested calls, strings with brackets and used imports are left as they should be', async () => {
  const text = `import { contract } from './contract.ts'
import { word } from './word.ts'
import './effect.ts'
export const a: object = { about: described({ contract, says: ') }) (', more: described([word]) }), word }
`
  const { code: folded } = await foldAbout(text, 'feature.ts')
  assert.match(folded, 'import { word } from "./word.ts"')
  assert.match(folded, 'import "./effect.ts"')
  assert.not.match(folded, 'contract')
  assert.match(folded, 'about: void 0, word')
})

test('a file that only a description imports is no input of a bundle', async () => {
  const folder = folderWith({
    'feature.ts': "import { text } from './text.ts'\nexport const feature = { about: described({ text }) }\n",
    'text.ts': "console.log('loaded')\nexport const text = 'dear'\n",
  })
  const bundled = async (plugins: ReturnType<typeof withoutAbout>[]): Promise<string[]> => {
    const { metafile } = await build({
      entryPoints: [join(folder, 'feature.ts')],
      absWorkingDir: folder,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      plugins,
    })
    return Object.keys(metafile.inputs).sort()
  }
  assert.equal(await bundled([]), ['feature.ts', 'text.ts'])
  assert.equal(await bundled([withoutAbout()]), ['feature.ts'])
})

const describing = globSync('plugins/**/*.ts', { cwd: root }).filter((file) =>
  /\bdescribed\(/.test(readFileSync(join(root, file), 'utf8')),
)

test('a constant that only a description uses stands in a module that only descriptions import', async () => {
  // The bundler keeps the constant if its value is the answer of a call: the call may have an effect.
  for (const file of describing) {
    const { code: folded } = await foldAbout(readFileSync(join(root, file), 'utf8'), file)
    const unused = [...folded.matchAll(/^const (\w+) = /gm)].filter(
      ([, name]) => folded.split(new RegExp(`\\b${name}\\b`)).length < 3,
    )
    assert.equal(
      unused.map(([, name]) => `${file}: ${name}`),
      [],
      'write it inside of described(…), or in contract.ts beside the feature',
    )
    for (const name of ['core/declare/operation.ts', 'core/declare/json-schema.ts'])
      assert.not.match(folded, name, file)
  }
})

test('only files that the build folds describe something', () => {
  assert.ok(describing.length >= values.length)
  for (const file of describing) assert.match(file, /\b(?:feature|routes)\.ts$/)
})

test.run()
