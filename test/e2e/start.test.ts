/** What a start leaves alone: built-ins and tables that only later requests need. */
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

/** Tells which built-ins are loaded when the first listener is open. */
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
 * What costs a start milliseconds each, and is for other hosts, metrics, tokens, keys and terminals. Not among them: `dns` and
 * `cluster`, which `listen` of Node loads, and `worker_threads` and `assert`, which pino does.
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
  const what = `${profile} listens before it loads what is for later`
  if (!existsSync(file)) {
    skip(test, what, `${file} has not been built`)
    continue
  }
  test(what, async () => {
    const folder = folderWith({ 'hook.cjs': hook })
    // The first start makes what every later one finds: the store, and the key of the node.
    await loadedBy(file, folder)
    const loaded = await loadedBy(file, folder)
    assert.ok(loaded.has('http'), 'the list is the real one')
    assert.equal(
      later.filter((name) => loaded.has(name) || loaded.has(`internal/deps/${name}/${name}`)),
      [],
    )
  })
}

for (const profile of ['minimal', 'server-full']) {
  const file = join(distDir(profile), 'svc.mjs')
  const what = `${profile} starts from one file, which is plain JavaScript`
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

/** Tells in which order the listeners open, and when the loop first comes round behind the first of them. */
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
const waiting = 'who waits for the listener is heard before the local socket opens, whose addon takes long to load'
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
