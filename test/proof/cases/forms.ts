/** Code that the bundler cannot follow is refused unless a feature declares it, and found whatever it is dressed up as. */
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Use } from '../../core/feature.ts'
import { buildProfile } from '../../scripts/build/build.ts'
import { bundle } from '../../scripts/build/bundle/bundle.ts'
import { generateTarget } from '../../scripts/build/generate/generate.ts'
import { buildDir } from '../../scripts/build/paths.ts'
import { standardProfiles } from '../../scripts/build/plan/load-profile.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { byVariant } from '../../scripts/build/prove/attribute.ts'
import { codeOf } from '../../scripts/build/prove/code.ts'
import { isUnfollowed } from '../../scripts/build/prove/forms/forms.ts'
import { checkForms, formsIn, usesOf } from '../../scripts/build/prove/forms/uses.ts'
import { ownProfile } from '../support/own-profile.ts'
import { refusal } from '../support/refusal.ts'

const test = suite('forms')
const name = `forms-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

const pluginThat = (setup: string, head = ''): string => `import { definePlugin } from 'svc/plugin'
${head}
export const plugin = definePlugin({ name: 'edge.quote', feature: 'edge.quote', async setup() { ${setup} } })
`

/** Each a plugin that reaches code which is not in the bundle's account. */
const attacks: Readonly<Record<string, [use: string, setup: string, head?: string]>> = {
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
  'a worker from a text': ['worker', "new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))"],
  'WebAssembly in the code': ['wasm', 'await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))'],
}

for (const [what, [use, setup, head]] of Object.entries(attacks)) {
  test(`${what} in a plugin`, async () => {
    const { code, message } = await refusal(ownProfile({ name, plugin: pluginThat(setup, head) }))
    assert.is(code, 'ERR_PROOF_FORM', message)
    assert.match(message, 'library and main: ./quote/plugin.ts (feature edge.quote) contains `')
    assert.match(message, `uses: ['${use}']`)
  })
}

/** Files whose names keep them from being taken for code, and the import that makes the bundler take them for it. */
const dressed: Readonly<Record<string, [file: string, specifier: string]>> = {
  'behind a query': ['quote/evil.ts', './evil.ts?x'],
  'behind a fragment': ['quote/evil.js', './evil.js#x'],
  'in a file without an ending': ['quote/evil', './evil'],
  'in a file with two endings': ['quote/evil.json.ts', './evil.json.ts'],
}

for (const [what, [file, specifier]] of Object.entries(dressed)) {
  test(`a form ${what}`, async () => {
    const profile = ownProfile({
      name,
      plugin: pluginThat('console.info(evil)', `import * as evil from '${specifier}'`),
      files: { [file]: "export const evil = new Function('return 1')\n" },
    })
    const { code, message } = await refusal(profile)
    assert.is(code, 'ERR_PROOF_FORM', message)
    assert.match(message, 'contains `new Function("return 1")`')
  })
}

test('a module that is an address, whatever path it looks like', async () => {
  for (const tail of ['', '//../../core/kernel.ts', '//../../plugins/probes/plugin.ts']) {
    const address = `data:text/javascript,export default Function('return 1')${tail}`
    const plugin = pluginThat('console.info(evil)', `import evil from ${JSON.stringify(address)}`)
    const { code, message } = await refusal(ownProfile({ name, plugin }))
    assert.is(code, 'ERR_PROOF_LEAK', message)
    assert.match(message, '(stray) is in the bundle')
  }
})

test('a module of another machine', async () => {
  const plugin = pluginThat("await import('https://example.org/x.mjs')")
  const { message } = await refusal(ownProfile({ name, plugin }))
  assert.match(message, 'ERR_PROOF_EXTERNAL: library and main: https://example.org/x.mjs is imported at run time')
})

test('a file that is called like what is generated', async () => {
  const place = '.build/x/library/entry.ts'
  const profile = ownProfile({
    name,
    plugin: pluginThat('console.info(evil)', `import * as evil from '../${place}'`),
    files: { [place]: "export const evil = new Function('return 1')\n" },
  })
  const { message } = await refusal(profile)
  assert.match(message, `./${place} (stray) is in the bundle`)
})

test('code beside the bundle is held to the same: it may neither hide a form nor bring in anything', async () => {
  const texts = {
    eval: "export const evil = new Function('return 1')\n",
    import: "import { connect } from 'node:net'\nexport const evil = connect\n",
  }
  for (const [use, text] of Object.entries(texts)) {
    const profile = ownProfile({
      name,
      change: (own) =>
        own.replace(
          "plugin: './quote/plugin.ts'",
          "plugin: './quote/plugin.ts', assets: { 'more.mjs': './quote/more.mjs' }",
        ),
      files: { 'quote/more.mjs': text },
    })
    const { code, message } = await refusal(profile)
    assert.is(code, 'ERR_PROOF_FORM', message)
    assert.match(message, './quote/more.mjs (feature edge.quote) contains `')
    assert.match(message, `uses: ['${use}']`)
  }
})

test('a form in a package that a feature brings', async () => {
  const text = "export const text = Function('return 1')()\n"
  const profile = ownProfile({ name, files: { 'node_modules/edge-greeter/lib/text.js': text } })
  const { code, message } = await refusal(profile)
  assert.is(code, 'ERR_PROOF_FORM', message)
  assert.match(message, 'node_modules/edge-greeter/lib/text.js (feature edge.greeter) contains `Function("return 1")`')
})

test('what a feature declares is taken, and listed in the proof', async () => {
  const profile = ownProfile({
    name,
    plugin: pluginThat('new Function()()'),
    change: (text) => text.replace("plugin: './quote/plugin.ts'", "plugin: './quote/plugin.ts', uses: ['eval']"),
  })
  const { proofs } = await buildProfile(profile, 'prove')
  for (const { uses } of proofs) assert.equal(uses['eval'], ['./quote/plugin.ts'])
})

test('declared by one feature is not declared by another', async () => {
  const profile = ownProfile({
    name,
    plugin: pluginThat('new Function()()'),
    change: (text) => text.replace("plugin: 'edge-greeter'", "plugin: 'edge-greeter', uses: ['eval']"),
  })
  assert.is((await refusal(profile)).code, 'ERR_PROOF_FORM')
})

/** The same forms as somebody who looks for a way past a search would write them. */
const disguises: Readonly<Record<string, readonly string[]>> = {
  eval: [
    'const run = eval',
    'ev\\u0061l(text)',
    "globalThis['ev' + 'al'](text)",
    'globalThis.globalThis.Function(text)',
    "const { ['ev' + 'al']: run } = globalThis",
    '(() => {}).constructor(text)',
    '[].constructor.constructor(text)',
    'f.constructor(text)',
    'new f.constructor(text)',
    'new ShadowRealm().evaluate(text)',
    "setTimeout('text')",
    'setTimeout(`text $' + '{x}`)',
    "setInterval('a' + b, 1)",
    "setTimeout(parts.join(''))",
    'setTimeout(String(x))',
    "const later = setTimeout; later('text')",
    "const later = setTimeout, text = 'a' + b; later(text)",
    "const text = `$' + '{a}`; setTimeout(text, 1)",
    "let later; later = x ? setTimeout : y; later?.('text')",
    "let later; later ??= globalThis.setTimeout; later('text')",
    "const first = setInterval; const second = first; second('text')",
    "const { setTimeout: later } = globalThis; later('text')",
    "let later; ({ setTimeout: later } = globalThis); later('text')",
    "const later = setTimeout.bind(globalThis); later('text')",
    "setTimeout.bind(null, 'text')()",
    "setTimeout.call(null, 'text')",
    "setTimeout.apply(null, ['text'])",
    "Reflect.apply(setTimeout, null, ['text'])",
    "const clock = { later: setTimeout }; clock.later('text')",
    "const clock = { setTimeout }; clock.setTimeout('text')",
    "class Clock { later = setTimeout; run() { this.later('text') } }",
    "clock.later = setTimeout; clock.later('text')",
    "window.setTimeout('text')",
    "function later(text) { setTimeout(text) } later('text')",
    "function run(later) { later('text') } run(setTimeout)",
    "const timer = () => setTimeout; timer()('text')",
    "const texts = { one: 'text' }; setTimeout(texts.one)",
    'f.constructor.call(null, text)',
    'f.constructor.bind(null)(text)',
    'f.constructor.valueOf()(text)',
    'f.constructor`text`',
    'Function.prototype.constructor(text)',
    'frames.eval(text)',
    'Deno?.core.eval(text)',
    "process.getBuiltinModule('vm')",
    "import { runInThisContext } from 'node:vm'",
    "const vm = require('vm')",
    "export { runInThisContext } from 'vm'",
  ],
  constructor: [
    'const { constructor: F } = () => {}',
    'const F = f.constructor',
    'Reflect.apply(f.constructor, null, [text])',
    'let F; ({ constructor: F } = () => {})',
    'let F; [{ constructor: F }] = [f]',
    'for ({ constructor: F } of [f]);',
    "({ ['constr' + 'uctor']: F } = f)",
    '(0, f.constructor)(text)',
    'const F = f.constructor ?? 0',
    'const F = a && f.constructor',
    'f.constructor instanceof taker',
    'new Holder(this.constructor)',
    'captureStackTrace(f.constructor)',
    'class A extends f.constructor {}',
    "Reflect.get(f, 'constructor')",
    "get(Function.prototype, 'constr' + 'uctor')",
    'let Error = { captureStackTrace: take }; Error.captureStackTrace(f.constructor)',
    'const toString = take; toString.call(f.constructor)',
  ],
  global: [
    'const all = globalThis',
    'globalThis[name]',
    'globalThis?.[name]',
    'Reflect.get(globalThis, name)',
    'const { ...all } = self',
    'const all = globalThis.globalThis',
    'globalThis.global[name]',
    'const { self: all } = globalThis',
    'const all = frames',
    'top[name]',
    'parent?.[name]',
  ],
  import: [
    'import(name)',
    'import(`./$' + '{name}.js`)',
    "import(x ? 'a' : name)",
    "import('./unknown.js')",
    "import x from './unknown.js'",
    "export * from './unknown.js'",
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
    'const { require: load } = module',
    "process.getBuiltinModule('node:module')",
    '__svcRequire(import.meta.url)(name)',
  ],
  process: [
    'const host = process',
    'process[name]',
    "process['bin' + 'ding']('fs')",
    'const { getBuiltinModule: get } = process',
    'globalThis.process.getBuiltinModule(name)',
    "import host from 'node:process'",
    "process._linkedBinding('fs')",
    'const host = globalThis.process',
    'globalThis.process[name]',
    'globalThis.self.process?.[name]',
    'const { process: host } = globalThis',
    'const { process: { ...host } } = globalThis',
    '({ getBuiltinModule: get } = host)',
    "process.getBuiltinModule('process')",
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
    'const W = globalThis.Worker',
    "new Worker('data:text/javascript,1')",
    "new (process.getBuiltinModule('worker_threads').Worker)(text)",
    '({ Worker: W } = threads)',
  ],
  wasm: [
    'new WebAssembly.Module(bytes)',
    'globalThis.WebAssembly',
    'const { instantiate } = WebAssembly',
    'const { WebAssembly: W } = globalThis',
    "const W = globalThis['Web' + 'Assembly']",
    'const run = WebAssembly.compile',
  ],
}

for (const [use, texts] of Object.entries(disguises)) {
  test(`every disguise of ${use} is seen`, async () => {
    for (const text of texts) {
      const forms = (await codeOf(text, 'x.js')).formsBeside(new Set())
      assert.ok(
        forms.some((form) => form.use === use && isUnfollowed(form, new Set())),
        text,
      )
    }
  })
}

test('code that only looks like a form is let through', async () => {
  const harmless = [
    'function f(require, eval_) { return require(eval_) }',
    'class A { eval() {} Function = 1 }',
    'typeof require; typeof process; typeof globalThis',
    'x instanceof Function; Function.prototype',
    "process.env.HOME; globalThis.crypto; 'x' in globalThis",
    'const { setImmediate: soon } = globalThis; const { pid } = process',
    "require('node:fs'); import('./known.js')",
    'module.exports = 1; exports.x = 2',
    "'eval(x)'; /* new Function */",
    'new this.constructor(1); a.constructor === b.constructor; a.constructor.name',
    'setTimeout(() => {}, 1); setTimeout(run, 1)',
    "const later = setTimeout; later(() => log('text'), 1)",
    "function f(e) { setTimeout(e) } function g() { let e = 'text'; log(e) } f(() => g())",
    "const later = setTimeout; function f(later) { later('text') } f(log)",
    "process.getBuiltinModule('node:fs')",
    'import.meta.url',
    "globalThis.process?.env; x = typeof globalThis.process; globalThis.process.getBuiltinModule('node:fs')",
    'const x = { constructor: 1, eval: 2 }; f({ constructor: 1 })',
    'if (f.constructor === Object) x.constructor = 1; x instanceof y.constructor',
    'Object.prototype.toString.call(x.constructor); Error.captureStackTrace?.(e, e.constructor)',
    'function f(top, parent, frames) { return [top, parent, frames] }',
    'a.parent.top; self.addEventListener',
    "key === 'constructor'; ['constructor'].includes(key)",
  ]
  for (const text of harmless) {
    const followed = new Set(['node:fs', './known.js'])
    const forms = (await codeOf(text, 'x.js')).formsBeside(followed)
    assert.equal(
      forms.filter((form) => isUnfollowed(form, followed)),
      [],
      text,
    )
  }
})

test('every way that a feature of the matrix declares is used by it somewhere', async () => {
  const used = new Set<string>()
  const declared = new Set<string>()
  for (const profile of standardProfiles()) {
    const planned = await plan(profile)
    for (const target of planned.targets) {
      const made = await bundle(generateTarget(planned, target))
      const files = await formsIn(planned, made)
      for (const one of target.features) {
        const ways = byVariant(one.feature.uses, one.variant)
        // Several features may declare a way for code that they share, so each is asked alone.
        const complaints = (uses: readonly Use[]): number => {
          const features = target.features.map((other) => {
            return { ...other, feature: { ...other.feature, uses: other.id === one.id ? uses : [] } }
          })
          return checkForms(planned, { ...made, target: { ...target, features } }, files).length
        }
        for (const use of ways) {
          declared.add(`${one.id}=${one.variant} ${use}`)
          const without = complaints(ways.filter((other) => other !== use))
          if (without > complaints(ways)) used.add(`${one.id}=${one.variant} ${use}`)
        }
      }
      assert.equal(checkForms(planned, made, files), [])
      assert.ok(target.platform !== 'bare' || !('worker' in usesOf(files)))
    }
  }
  assert.equal(
    [...declared].filter((one) => !used.has(one)),
    [],
  )
})

test.run()
