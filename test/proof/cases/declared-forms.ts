/** Code that the bundler cannot follow is refused unless a feature declares it. */
import { rmSync } from 'node:fs'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Problem } from '../../../scripts/build/errors.ts'
import { buildDir } from '../../../scripts/build/paths.ts'
import { featureText } from '../../support/feature-text.ts'
import { ownProfile } from '../../support/own-profile.ts'
import { buildToProof, refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('declared forms')
const name = `forms-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

const featureThat = (setup: string, head = ''): string =>
  featureText({ id: 'edge.quote', head, does: `async setup() { ${setup} },` })

/** A feature that imports modules and uses what they export. */
function featureOf(specifiers: readonly string[]): string {
  const lines = specifiers.map((specifier, n) => `import * as evil${n} from ${JSON.stringify(specifier)}`)
  return featureThat(`console.info(${specifiers.map((_, n) => `evil${n}`).join(', ')})`, lines.join('\n'))
}

/** Builds a profile that must be refused, and returns its problems. */
async function problemsOf(profile: string): Promise<readonly Problem[]> {
  return (await refusal(profile)).details!['problems'] as readonly Problem[]
}

/** Modules that reach code that is not in the account of the bundle. */
const attacks: Readonly<Record<string, [use: string, code: string, head?: string]>> = {
  'an import() of a computed name': ['import', "await import(['./', 'x.mjs'].join(''))"],
  'a require under another name': ['require', "const load = require; load('node:' + 'net')"],
  'getBuiltinModule of a computed name': ['process', "process.getBuiltinModule(['node', 'net'].join(':'))"],
  'process.binding': ['process', "(process as unknown as { binding(name: string): void }).binding('fs')"],
  'Module._load': [
    'require',
    "(Loader as unknown as { _load(name: string): void })._load('net')",
    "import Loader from 'node:module'",
  ],
  eval: ['eval', "(0, eval)('1 + 1')"],
  'new Function': ['eval', "new Function('return 1')()"],
  'a worker from a string': ['worker', "new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))"],
  'WebAssembly in the code': ['wasm', 'await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))'],
}

test('each module of a plugin that reaches such code is refused', async () => {
  const files = Object.fromEntries(
    Object.values(attacks).map(([, code, head = ''], n) => [
      `quote/attack-${n}.ts`,
      `${head}\nexport async function attack() { ${code} }\n`,
    ]),
  )
  const feature = featureOf(Object.keys(files).map((file) => file.replace('quote', '.')))
  const problems = await problemsOf(ownProfile({ name, feature, files }))
  for (const [n, [what, [use]]] of Object.entries(attacks).entries()) {
    const begin = new RegExp(
      `^library and main: \\./quote/attack-${n}\\.ts:[12] \\(feature edge\\.quote\\) contains \``,
    )
    const found = problems.find(({ code, message }) => code === 'ERR_PROOF_FORM' && begin.test(message))
    assert.match(found?.hint ?? '', `uses: ['${use}']`, what)
  }
})

/** Files whose names do not look like code, and imports with which the bundler loads them as code. */
const dressed: Readonly<Record<string, [file: string, specifier: string]>> = {
  'behind a query': ['quote/evil.ts', './evil.ts?x'],
  'behind a fragment': ['quote/evil.js', './evil.js#x'],
  'in a file without an ending': ['quote/evil', './evil'],
  'in a file with two endings': ['quote/evil.json.ts', './evil.json.ts'],
}

test('a form in each such file is refused', async () => {
  const files = Object.fromEntries(
    Object.values(dressed).map(([file]) => [file, "export const evil = new Function('return 1')\n"]),
  )
  const feature = featureOf(Object.values(dressed).map(([, specifier]) => specifier))
  const problems = await problemsOf(ownProfile({ name, feature, files }))
  for (const [what, [file]] of Object.entries(dressed)) {
    const found = problems.find(
      ({ message }) =>
        message.includes(`./${file}:1 `) || message.includes(`./${file}?`) || message.includes(`./${file}#`),
    )
    assert.is(found?.code, 'ERR_PROOF_FORM', what)
    assert.match(found?.message ?? '', 'contains `new Function("return 1")`', what)
  }
})

test('a module with a data: URL is refused, whatever path the URL resembles', async () => {
  // One build each: the bundler shortens long URLs, so that two may have one name.
  for (const tail of ['', '//../../core/kernel/kernel.ts', '//../../plugins/probes/feature.ts']) {
    const feature = featureOf([`data:text/javascript,export default Function('return 1')${tail}`])
    const { code, message } = await refusal(ownProfile({ name, feature }))
    assert.is(code, 'ERR_PROOF_LEAK', message)
    assert.match(message, '(stray) is in the bundle')
  }
})

test('a module from another machine is refused', async () => {
  const feature = featureThat("await import('https://example.org/x.mjs')")
  const { message } = await refusal(ownProfile({ name, feature }))
  assert.match(message, 'ERR_PROOF_EXTERNAL: library and main: https://example.org/x.mjs is imported at run time')
})

test('a file with the name of a generated file is refused', async () => {
  const place = '.build/x/library/entry.ts'
  const profile = ownProfile({
    name,
    feature: featureThat('console.info(evil)', `import * as evil from '../${place}'`),
    files: { [place]: "export const evil = new Function('return 1')\n" },
  })
  const { message } = await refusal(profile)
  assert.match(message, `./${place} (stray) is in the bundle`)
})

test('code in an asset must contain neither a form nor an import', async () => {
  const texts = {
    eval: "export const evil = new Function('return 1')\n",
    import: "import { connect } from 'node:net'\nexport const evil = connect\n",
  }
  const names = Object.keys(texts)
  const assets = names.map((use) => `'${use}.mjs': './quote/${use}.mjs'`).join(', ')
  const problems = await problemsOf(
    ownProfile({
      name,
      about: `assets: { ${assets.replaceAll('./quote/', './')} }`,
      files: Object.fromEntries(Object.entries(texts).map(([use, text]) => [`quote/${use}.mjs`, text])),
    }),
  )
  for (const use of names) {
    const found = problems.find(({ message }) =>
      message.includes(`./quote/${use}.mjs:1 (feature edge.quote) contains \``),
    )
    assert.is(found?.code, 'ERR_PROOF_FORM', JSON.stringify(problems))
    assert.match(found?.hint ?? '', `uses: ['${use}']`)
  }
})

test('a form in a package of a feature is refused', async () => {
  const text = "export const text = Function('return 1')()\n"
  const profile = ownProfile({ name, files: { 'node_modules/edge-greeter/lib/text.js': text } })
  const { code, message } = await refusal(profile)
  assert.is(code, 'ERR_PROOF_FORM', message)
  assert.match(
    message,
    'node_modules/edge-greeter/lib/text.js:1 (feature edge.greeter) contains `Function("return 1")`',
  )
})

test('a form that its feature declares is accepted, and listed in the proof', async () => {
  const profile = ownProfile({
    name,
    feature: featureText({ id: 'edge.quote', about: "uses: ['eval']", does: 'setup() { new Function()() },' }),
  })
  const { proofs } = await buildToProof(profile)
  for (const { uses } of proofs) assert.equal(uses['eval'], ['./quote/feature.ts'])
})

test('a form that only another feature declares is refused', async () => {
  const profile = ownProfile({
    name,
    feature: featureThat('new Function()()'),
    greeterAbout: "uses: ['eval']",
  })
  assert.is((await refusal(profile)).code, 'ERR_PROOF_FORM')
})
