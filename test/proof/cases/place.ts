/** Code that asks for its own place has that of the program, and finds there the files that its feature delivers. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildProfile } from '../../../scripts/build/build.ts'
import type { Problem } from '../../../scripts/build/errors.ts'
import { toScript } from '../../../scripts/build/generate/program-file.ts'
import { buildDir, root } from '../../../scripts/build/paths.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { BUILD_MS } from '../../runner/limit.ts'
import { bundlesOf } from '../../support/bundles.ts'
import { startChild } from '../../support/child.ts'
import { featureText } from '../../support/feature-text.ts'
import { folderWith } from '../../support/folder.ts'
import { refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('the place of a module')
const name = `place-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

interface PlaceOptions {
  /** Lines before the plugin, and what its handler answers. */
  readonly head?: string
  readonly answer?: string
  /** More members of `about`. */
  readonly about?: string
  /** Whether the feature is in the library instead of the program. */
  readonly isInLibrary?: boolean
  readonly files?: Readonly<Record<string, string>>
}

/** A profile whose program has one feature of its own, in the folder `place`. */
function profileWith({ head = '', answer = '{}', about = '', isInLibrary = false, files = {} }: PlaceOptions): string {
  const own = `{ features: { 'edge.place': true } }`
  const folder = folderWith({
    'edge.ts': `export const profile = {
  name: '${name}', summary: 'Files beside code', extends: 'minimal',
  library: ${isInLibrary ? own : '{}'}, ${isInLibrary ? '' : `main: ${own},`}
  builtins: ['node:fs', 'node:path', 'node:url'],
  own: { 'edge.place': './place/feature.ts' },
}
`,
    'place/feature.ts': featureText({
      id: 'edge.place',
      head,
      about,
      platform: isInLibrary ? 'web' : 'node',
      does: `routes: (route) => [route('GET /edge/place', { auth: 'handler', handler: async () => json(200, ${answer}) })],`,
    }),
    ...files,
  })
  return join(folder, 'edge.ts')
}

test('a plugin, a CommonJS helper and a package from npm find their files beside the started program', async () => {
  const profile = profileWith({
    head: `import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SourceMapConsumer } from 'source-map'
import helper from './helper.cjs'
const data = (): string => readFileSync(new URL('./data.json', import.meta.url), 'utf8')
const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', file: 'a.js' }
const mapped = (): Promise<unknown> => SourceMapConsumer.with(map, null, (one) => one.originalPositionFor({ line: 1, column: 0 }))`,
    answer: `{
  data: JSON.parse(data()), helper: helper(), mapped: await mapped(),
  url: fileURLToPath(import.meta.url), dirname: import.meta.dirname, filename: import.meta.filename }`,
    about: `packages: ['source-map'], uses: ['wasm'],
    assets: { 'data.json': './data.json', 'words.txt': './words.txt', 'mappings.wasm': '../node_modules/source-map/lib/mappings.wasm' },`,
    files: {
      'place/data.json': '{"n":7}',
      'place/words.txt': 'good day',
      'place/helper.cjs': `const { readFileSync } = require('node:fs')
const path = require('node:path')
module.exports = () => [readFileSync(path.join(__dirname, 'words.txt'), 'utf8'), __filename]
`,
    },
  })
  const from = join(root, 'node_modules/source-map')
  const to = join(dirname(profile), 'node_modules/source-map')
  mkdirSync(to, { recursive: true })
  for (const one of ['package.json', 'source-map.js', 'lib'])
    cpSync(join(from, one), join(to, one), { recursive: true })
  const dist = folderWith()
  const before = process.env['SVC_DIST']
  process.env['SVC_DIST'] = dist
  const { folder } = await buildProfile(profile, 'pack').finally(() => {
    if (before === undefined) delete process.env['SVC_DIST']
    else process.env['SVC_DIST'] = before
  })
  const port = await freePort()
  const program = join(folder!, 'svc.mjs')
  const env = {
    SVC_SERVER__PORT: String(port),
    SVC_SERVER__HOST: '127.0.0.1',
    SVC_SECURITY__JWT_SECRET: 'x'.repeat(40),
  }
  // The current folder is another one.
  const child = startChild(process.execPath, { args: [program], cwd: dist, env })
  try {
    await child.waitFor(/listening|ready|started/i, BUILD_MS)
    const answer = await fetch(`http://127.0.0.1:${port}/edge/place`)
    assert.equal(await answer.json(), {
      data: { n: 7 },
      helper: ['good day', program],
      mapped: { source: 'a.ts', line: 1, column: 0, name: null },
      url: program,
      dirname: folder,
      filename: program,
    })
  } finally {
    await child.stop()
  }
})

test('in an executable the place is that which its boot code passes', () => {
  const found: unknown[] = []
  const run = runInThisContext(toScript('require(svcPlace.dirname)')) as (...given: unknown[]) => void
  run((one: unknown) => found.push(one), undefined, 'none', undefined, { dirname: '/opt/edge' })
  assert.equal(found, ['/opt/edge'])
  assert.not.match(toScript('module.exports(1)'), 'svcPlace')
})

const readers: Readonly<Record<string, [code: string, hint: RegExp]>> = {
  'a URL': ["readFileSync(new URL('./data.json', import.meta.url))", /assets: \{ 'data\.json': '\.\/data\.json' \}/],
  join: ["readFileSync(join(import.meta.dirname, 'data.json'))", /assets: \{ 'data\.json': '\.\/data\.json' \}/],
  'a constant folder': [
    "(() => { const here = dirname(fileURLToPath(import.meta.url)); return readFileSync(join(here, 'data.json')) })()",
    /assets: \{ 'data\.json': '\.\/data\.json' \}/,
  ],
  'a template': ['readFileSync(`$' + '{import.meta.dirname}/data.json`)', /assets: \{ 'data\.json'/],
  'a file in another folder': [
    "readFileSync(new URL('../edge.ts', import.meta.url))",
    /Import it, or put it into the folder/,
  ],
}

test('a file that a plugin names and that is not delivered is refused, with the line to write', async () => {
  const modules = Object.values(readers).map(([code], n): [file: string, text: string] => [
    `place/reader-${n}.ts`,
    `import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
export const used = [dirname, join, fileURLToPath]
export const read = (): string => String(${code})
`,
  ])
  const { details } = await refusal(
    profileWith({
      head: modules.map(([file], n) => `import * as reader${n} from '${file.replace('place', '.')}'`).join('\n'),
      answer: `[${modules.map((_, n) => `reader${n}`).join(', ')}]`,
      files: { 'place/data.json': '{}', ...Object.fromEntries(modules) },
    }),
  )
  const problems = details!['problems'] as readonly Problem[]
  for (const [n, [what, [, hint]]] of Object.entries(readers).entries()) {
    const begin = new RegExp(
      `^main: \\./place/reader-${n}\\.ts:5 \\(feature edge\\.place\\) reads \\./(?:place/data\\.json|edge\\.ts) beside itself`,
    )
    const found = problems.find(({ code, message }) => code === 'ERR_PROOF_FORM' && begin.test(message))
    assert.match(found?.hint ?? '', hint, `${what}: ${JSON.stringify(problems)}`)
  }
})

test('an asset of that name from another folder is not the file that the module reads', async () => {
  const { code, message } = await refusal(
    profileWith({
      head: "import { readFileSync } from 'node:fs'",
      answer: "String(readFileSync(new URL('./data.json', import.meta.url)))",
      about: "assets: { 'data.json': './more/data.json' }",
      files: { 'place/data.json': '{}', 'place/more/data.json': '{}' },
    }),
  )
  assert.is(code, 'ERR_PROOF_FORM', message)
})

test('a file that is not there, such as one that the plugin writes, and a declared use are accepted', async () => {
  const head = "import { readFileSync } from 'node:fs'"
  const reads = "String(readFileSync(new URL('./data.json', import.meta.url)))"
  for (const options of [{}, { about: "uses: ['place']", files: { 'place/data.json': '{}' } }]) {
    const error = await refusal(profileWith({ head, answer: reads, ...options })).catch((one: Error) => one)
    assert.match(error.message, 'the build was not refused')
  }
})

test('a library without files refuses code that asks for its place, with file and line', async () => {
  const places = ['import.meta.url', 'import.meta.dirname', '__dirname', '__filename']
  const { details } = await refusal(
    profileWith({
      head: places.map((_, n) => `import { place as place${n} } from './asks-${n}.ts'`).join('\n'),
      answer: `[${places.map((_, n) => `place${n}()`).join(', ')}]`,
      isInLibrary: true,
      files: Object.fromEntries(
        places.map((code, n) => [`place/asks-${n}.ts`, `export const place = (): string => String(${code})\n`]),
      ),
    }),
  )
  const problems = details!['problems'] as readonly Problem[]
  for (const [n, code] of places.entries()) {
    const begin = `library: ./place/asks-${n}.ts:1 (feature edge.place) asks for its place by \``
    const found = problems.find((one) => one.code === 'ERR_PROOF_FORM' && one.message.startsWith(begin))
    assert.match(
      found?.message ?? '',
      'and code of the platform "web" has none',
      `${code}: ${JSON.stringify(problems)}`,
    )
  }
})

test('code that only looks whether it has a place is accepted', async () => {
  const answer = "{ place: typeof __dirname === 'undefined' }"
  const error = await refusal(profileWith({ answer, isInLibrary: true })).catch((one: Error) => one)
  assert.match(error.message, 'the build was not refused')
})

test('code that asks whether it is the program is refused, because in a program every module is', async () => {
  const { code, message } = await refusal(
    profileWith({
      head: `import { fileURLToPath } from 'node:url'
if (process.argv[1] === fileURLToPath(import.meta.url)) console.info('main')`,
    }),
  )
  assert.is(code, 'ERR_PROOF_FORM', message)
  assert.match(
    message,
    /main: \.\/place\/feature\.ts:3 \(feature edge\.place\) asks by `process\.argv\[1\] === .*` whether/,
  )
})

test('other members of import.meta are refused by the bundler, with the members that there are', async () => {
  const error = await refusal(profileWith({ answer: '{ main: import.meta.main }' }))
  assert.is(error.code, 'ERR_BUILD_BROKEN', error.message)
  assert.match(error.message, /\.\/place\/feature\.ts:6: "import\.meta" is not available/)
  assert.match(error.hint ?? '', 'import.meta.url, import.meta.dirname and import.meta.filename')
})

test('a program that does not ask for its place has no code for it', async () => {
  const planned = await plan('minimal')
  const [main] = (await bundlesOf(planned)).filter(({ target }) => target.form === 'main')
  assert.not.match(main!.text, 'svcPlace')
})
