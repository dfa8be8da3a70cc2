/**
 * Code that the bundler cannot follow is found, code that only resembles it is accepted, and the search misses no file.
 */

import { readFileSync } from 'node:fs'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { foldAbout, isFolded } from '../../../scripts/build/generate/without-about.ts'
import { fileOfInput } from '../../../scripts/build/paths.ts'
import { standardProfiles } from '../../../scripts/build/plan/read-profile.ts'
import { attribute } from '../../../scripts/build/prove/attribute.ts'
import { findForms, isUnfollowed } from '../../../scripts/build/prove/forms/forms.ts'
import { formsInFile, formsInText } from '../../../scripts/build/prove/forms/read-forms.ts'
import type { Form } from '../../../scripts/build/prove/forms/ways.ts'
import { isData, parseCode } from '../../../scripts/build/prove/syntax.ts'
import { bundlesOf, planOf } from '../../support/bundles.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('forms')

const forms: Readonly<Record<string, readonly string[]>> = {
  eval: [
    'eval(text)',
    'const run = eval',
    'globalThis.eval(text)',
    "new Function('return 1')",
    "Function('return 1')()",
    'new ShadowRealm().evaluate(text)',
    "setTimeout('text')",
    'setTimeout(`text $' + '{x}`)',
    "setInterval('a' + b, 1)",
    "window.setTimeout('text')",
    'Deno?.core.eval(text)',
    "process.getBuiltinModule('vm')",
    "import { runInThisContext } from 'node:vm'",
    "const vm = require('vm')",
    "export { runInThisContext } from 'vm'",
  ],
  import: [
    'import(name)',
    'import(/* any */ name)',
    'import(`./$' + '{name}.js`)',
    "import(x ? 'a' : name)",
    "const name = './unknown.js'; import(name)",
  ],
  require: [
    'require(name)',
    'const load = require',
    'module.require(name)',
    'x = { require }',
    "import { createRequire } from 'node:module'",
    "import * as m from 'module'",
    "await import('node:module')",
    'm._load(name)',
    'process.mainModule.require(name)',
    'require.main.require(name)',
    'require.cache[name]',
    "process.getBuiltinModule('node:module')",
    '__svcRequire(import.meta.url)(name)',
  ],
  process: [
    'process.getBuiltinModule(name)',
    'const { getBuiltinModule: get } = process',
    "process.binding('fs')",
    "process._linkedBinding('fs')",
  ],
  addon: ['process.dlopen(m, name)', 'db.loadExtension(name)'],
  spawn: [
    'process.execve(file)',
    "import { spawn } from 'child_process'",
    "require('node:cluster')",
    "import { run } from 'node:test'",
    "const { spawn: go } = process.getBuiltinModule('node:child_process')",
  ],
  worker: [
    "import { Worker } from 'node:worker_threads'",
    'new SharedWorker(url)',
    "new Worker('data:text/javascript,1')",
    '({ Worker: W } = threads)',
  ],
  place: [
    'import.meta.url',
    'const { url } = import.meta',
    'join(__dirname, name)',
    'x = __filename',
    "new URL('./x.json', import.meta.url)",
  ],
  wasm: ['new WebAssembly.Module(bytes)', 'globalThis.WebAssembly', 'const { instantiate } = WebAssembly'],
}

for (const [use, texts] of Object.entries(forms)) {
  test(`code of kind ${use} is found`, async () => {
    for (const text of texts) {
      const found = await formsInText(text, 'x.js')
      assert.ok(
        found.some((form) => form.use === use && isUnfollowed(form, new Set())),
        text,
      )
    }
  })
}

test('code that only resembles a form is accepted', async () => {
  const harmless = [
    'function f(require, eval_) { return require(eval_) }',
    'class A { eval() {} Function = 1 }',
    'typeof require; typeof process; typeof globalThis',
    'x instanceof Function; Function.prototype; y = typeof globalThis.WebAssembly',
    "process.env.HOME; globalThis.crypto; 'x' in globalThis; const all = globalThis; const host = process",
    "import host from 'node:process'",
    "require('node:fs'); import('./known.js')",
    'module.exports = 1; exports.x = 2',
    "'eval(x)'; /* new Function */",
    'new this.constructor(1); a.constructor === b.constructor; const F = f.constructor',
    'setTimeout(() => {}, 1); setTimeout(run, 1)',
    "process.getBuiltinModule('node:fs')",
    'x.binding.value',
    'typeof __dirname; function f(__filename) { return __filename }; x.__dirname',
  ]
  const followed = new Set(['node:fs', './known.js', 'node:process'])
  for (const text of harmless)
    assert.equal(
      (await formsInText(text, 'x.js')).filter((form) => isUnfollowed(form, followed)),
      [],
      text,
    )
})

test('only the form that the defines leave is found', async () => {
  const text = 'if (__A__) eval(x)\nelse f(x)'
  assert.is((await formsInText(text, 'x.ts', { __A__: true })).length, 1)
  assert.is((await formsInText(text, 'x.ts', { __A__: false })).length, 0)
})

const withoutLiterals = (found: readonly Form[]): unknown[] =>
  found.filter((form) => form.specifier === undefined).map(({ use, code }) => [use, code])

test('the search of the texts misses no form in any file of our profiles', async () => {
  let files = 0
  const compared = new Set<string>()
  for (const name of standardProfiles()) {
    const planned = await planOf(name)
    for (const { target, metafile } of await bundlesOf(planned)) {
      for (const { input, bytes } of attribute(planned, metafile)) {
        const file = fileOfInput(input)
        if (bytes === 0 || file === undefined || isData(file, input)) continue
        files++
        const source = readFileSync(file, 'utf8')
        const text = isFolded(file, source) ? (await foldAbout(source, file)).code : source
        // A file without defines has the same forms in every bundle.
        const key = /__[A-Z]/.test(text) ? `${file} ${JSON.stringify(target.defines)}` : file
        if (compared.has(key)) continue
        compared.add(key)
        const parsed = findForms(await parseCode(text, file, target.defines))
        assert.equal(withoutLiterals(await formsInFile({ input }, target.defines)), withoutLiterals(parsed), file)
      }
    }
  }
  assert.ok(files > 2_000 && compared.size > 600, `${files}, ${compared.size}`)
})
