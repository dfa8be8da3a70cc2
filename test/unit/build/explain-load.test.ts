/** A module that cannot be loaded is explained by a place in the user's file, and by advice that can be followed. */
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { explainLoad } from '../../../scripts/build/modules/explain-load.ts'
import { readModule } from '../../../scripts/build/modules/read-module.ts'
import type { Explained } from '../../../scripts/build/modules/source-line.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('explanations of modules that cannot be loaded')

/** The explanation of a module `plugin.ts` among other files. */
async function explained(text: string, files: Readonly<Record<string, string>> = {}): Promise<Explained> {
  const file = join(folderWith({ 'plugin.ts': text, ...files }), 'plugin.ts')
  try {
    await readModule(file)
  } catch (error) {
    return explainLoad(file, error, dirname(file))
  }
  throw new Error('the module was loaded')
}

interface Mistake {
  readonly text: string
  readonly files?: Readonly<Record<string, string>>
  readonly why: RegExp
  readonly hint: RegExp
}

const helper = { 'helper.ts': 'export const a = 1\n' }

const mistakes: Readonly<Record<string, Mistake>> = {
  'a package that is not installed': {
    text: "const b = 1\nimport ms from 'ms'\nexport const a = [ms, b]\n",
    why: /^\.\/plugin\.ts:2:16: The package "ms" is not installed\.\n {6}import ms from 'ms'\n {21}\^$/,
    hint: /npm install ms, and write `packages: \['ms'\]`/,
  },
  'a part of a package in a scope that is not installed': {
    text: "import x from '@edge/ms/x.js'\nexport const a = x\n",
    why: /^\.\/plugin\.ts:1:15: The package "@edge\/ms" is not installed/,
    hint: /npm install @edge\/ms, /,
  },
  'a part that a package does not export': {
    text: "import x from 'ms/x.js'\nexport const a = x\n",
    files: {
      'node_modules/ms/package.json': '{"name":"ms","exports":{".":"./i.js"}}',
      'node_modules/ms/i.js': '',
    },
    why: /^\.\/plugin\.ts:1:15: Package subpath '\.\/x\.js' is not defined/,
    hint: /the name by which the package exports it/,
  },
  'the ending of JavaScript for a file of TypeScript': {
    text: "import { a } from './helper.js'\nexport const b = a\n",
    files: helper,
    why: /^\.\/plugin\.ts:1:19: There is no file "\.\/helper\.js"/,
    hint: /^Write '\.\/helper\.ts'/,
  },
  'no ending': {
    text: "import { a } from './helper'\nexport const b = a\n",
    files: helper,
    why: /^\.\/plugin\.ts:1:19: There is no file "\.\/helper"/,
    hint: /^Write '\.\/helper\.ts'/,
  },
  'a mistake in a file that the module imports': {
    text: "export { a } from './deep/helper.ts'\n",
    files: { 'deep/helper.ts': "export { a } from '../missing.js'\n", 'missing.mts': '' },
    why: /^\.\/deep\/helper\.ts:1:19: There is no file "\.\.\/missing\.js"/,
    hint: /^Write '\.\.\/missing\.mts'/,
  },
  'a file that is not there at all': {
    text: "import { a } from './helper.js'\nexport const b = a\n",
    why: /^\.\/plugin\.ts:1:19: (?:Could not resolve|There is no file) "\.\/helper\.js"/,
    hint: /names it with its ending/,
  },
  'JSON without its attribute': {
    text: "import data from './data.json'\nexport const b = data\n",
    files: { 'data.json': '{}' },
    why: /^\.\/plugin\.ts:1:18: Node imports "\.\/data\.json" only with an attribute\./,
    hint: /from '\.\/data\.json' with \{ type: 'json' \}$/,
  },
  'a decorator': {
    text: 'const tag = (): void => {}\nexport class Q {\n  @tag x() {}\n}\n',
    why: /^\.\/plugin\.ts:3: Node does not run decorators\n {8}@tag x\(\) \{\}$/,
    hint: /^Call the function on the class.*erasableSyntaxOnly/,
  },
  'an enum': {
    text: '\nexport enum Q { A }\n',
    why: /^\.\/plugin\.ts:2: TypeScript enum is not supported/,
    hint: /erasableSyntaxOnly/,
  },
  'a syntax error in a file that the module imports': {
    text: "import './words.ts'\n",
    files: { 'words.ts': '\nexport const = 1\n' },
    why: /^\.\/words\.ts:2:14: Expected identifier but found "="/,
    hint: /^/,
  },
  'an exception while loading': {
    text: 'const words = undefined\n\n  words.length\n',
    why: /^\.\/plugin\.ts:3:9: Cannot read properties of undefined[\s\S]*\n {8}words\.length\n/,
    hint: /by a process that may neither write nor start another/,
  },
  'an error that the code of the toolkit throws': {
    text: "import { integer } from 'svc/plugin'\n\nexport const a = integer(undefined as never)\n",
    why: /^\.\/plugin\.ts:3:18: /,
    hint: /loaded to read what it declares/,
  },
}

for (const [what, { text, files, why, hint }] of Object.entries(mistakes))
  test(`${what}: the place is in the user's file, and the advice can be followed`, async () => {
    const found = await explained(text, files)
    assert.match(found.why, why)
    assert.match(found.hint ?? '', hint)
  })

test.run()
