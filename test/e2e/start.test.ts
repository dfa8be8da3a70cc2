/** A start does not load built-in modules and tables that only later requests need. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { programIn } from '../../scripts/build/generate/program-file.ts'
import { distDir } from '../../scripts/build/paths.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'

const test = suite('start')

/** Prints the built-in modules that are loaded when the first listener opens. */
const hook = `
const { Server } = require('node:net')
const { emit } = Server.prototype
const made = []
for (const name of Object.getOwnPropertyNames(Intl)) {
  if (typeof Intl[name] === 'function' && Intl[name].prototype !== undefined)
    Intl[name] = new Proxy(Intl[name], { construct: (...given) => (made.push(name), Reflect.construct(...given)) })
}
Server.prototype.emit = function (event, ...rest) {
  if (event === 'listening' && typeof this.address() === 'object') {
    const loaded = process.moduleLoadList.map((name) => name.replace('NativeModule ', ''))
    console.log('LOADED ' + [...loaded, ...made.map((name) => 'Intl.' + name)].join(' '))
  }
  return emit.call(this, event, ...rest)
}
`

/**
 * Modules that cost a start milliseconds each, and that only outgoing requests, metrics, tokens, keys and terminals
 * need. Not included: `dns` and `cluster`, which `listen` of Node loads, and `worker_threads` and `assert`, which pino
 * loads.
 */
const later = [
  'https',
  'zlib',
  'v8',
  'undici',
  'crypto',
  'internal/crypto/webcrypto',
  ...Object.getOwnPropertyNames(Intl).map((name) => `Intl.${name}`),
]

for (const profile of ['minimal', 'server-full']) {
  const file = join(distDir(profile), 'svc.mjs')
  const what = `${profile} listens before it loads modules for later requests`
  if (!existsSync(file)) {
    skip(test, what, `${file} has not been built`)
    continue
  }
  test(what, async () => {
    const folder = folderWith({ 'hook.cjs': hook })
    // The first start creates the store and the key of the node; later starts only open them.
    await loadedBy(file, folder)
    const loaded = await loadedBy(file, folder)
    assert.ok(loaded.has('http'), 'the list is not empty')
    assert.equal(
      later.filter((name) => loaded.has(name) || loaded.has(`internal/deps/${name}/${name}`)),
      [],
    )
  })
}

for (const profile of ['minimal', 'server-full']) {
  const file = join(distDir(profile), 'svc.mjs')
  const what = `${profile} starts from a single file of plain JavaScript`
  if (!existsSync(file)) {
    skip(test, what, `${file} has not been built`)
    continue
  }
  test(what, async () => {
    const away = folderWith()
    copyFileSync(file, join(away, 'svc.mjs'))
    const child = startChild(process.execPath, { args: ['svc.mjs', 'build-info', '--json'], cwd: away, env: {} })
    assert.is((await child.exited).code, 0, child.err)
    assert.is(child.err, '')
    const info = JSON.parse(child.out) as { codeCache?: string; executable: boolean }
    assert.equal([info.codeCache, info.executable], [undefined, false])
    const text = readFileSync(file, 'utf8')
    assert.ok(programIn(text) !== undefined)
    assert.not.match(text, 'cachedData')
  })
}

/** Prints the order in which the listeners open, and the first turn of the event loop after the TCP listener. */
const orderHook = `
const { Server } = require('node:net')
const { emit } = Server.prototype
Server.prototype.emit = function (event, ...rest) {
  if (event === 'listening') {
    const local = this.address()?.port === undefined
    console.log(local ? 'OPEN local' : 'OPEN tcp')
    if (!local) setImmediate(() => console.log('OPEN turn'))
  }
  return emit.call(this, event, ...rest)
}
`

const full = join(distDir('server-full'), 'svc.mjs')
const waiting = 'callers of the TCP listener are served before the local socket opens, because its addon loads slowly'
if (!existsSync(full)) skip(test, waiting, `${full} has not been built`)
else
  test(waiting, async () => {
    const folder = folderWith({ 'hook.cjs': orderHook })
    const child = startChild(process.execPath, {
      args: ['--require', join(folder, 'hook.cjs'), full],
      env: { HOME: folder, RUST_LOG: 'error', SVC_SERVER__PORT: '0', SVC_SECURITY__JWT_SECRET: 'x'.repeat(40) },
    })
    try {
      await child.waitFor(/OPEN local\n/, 60_000)
      assert.equal(child.out.match(/(?<=^OPEN ).*$/gm), ['tcp', 'turn', 'local'])
    } finally {
      await child.stop()
    }
  })

async function loadedBy(file: string, folder: string): Promise<ReadonlySet<string>> {
  const child = startChild(process.execPath, {
    args: ['--require', join(folder, 'hook.cjs'), file],
    env: { HOME: folder, RUST_LOG: 'error', SVC_SERVER__PORT: '0', SVC_SECURITY__JWT_SECRET: 'x'.repeat(40) },
  })
  try {
    const [, text = ''] = await child.waitFor(/LOADED (.*)\n/, 60_000)
    return new Set(text.split(' '))
  } finally {
    await child.stop()
  }
}

test.run()
