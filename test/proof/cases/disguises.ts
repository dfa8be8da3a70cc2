/**
 * Forms of code that the bundler cannot follow are found in every disguise, and code that only resembles such a form is
 * accepted.
 */
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf } from '../../../scripts/build/prove/code.ts'
import { isUnfollowed } from '../../../scripts/build/prove/forms/forms.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('disguised forms')

/** The forms as an attacker would write them to avoid a simple search. */
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
  test(`every disguise of ${use} is found`, async () => {
    for (const text of texts) {
      const forms = (await codeOf(text, 'x.js')).formsBeside(new Set())
      assert.ok(
        forms.some((form) => form.use === use && isUnfollowed(form, new Set())),
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
