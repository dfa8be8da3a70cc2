/** What a start leaves alone: built-ins that only later requests need. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../scripts/build/paths.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'

const test = suite('start')

/** Tells which built-ins are loaded when the first listener is open. */
const hook = `
const { Server } = require('node:net')
const { emit } = Server.prototype
Server.prototype.emit = function (event, ...rest) {
  if (event === 'listening' && typeof this.address() === 'object') {
    console.log('LOADED ' + process.moduleLoadList.map((name) => name.replace('NativeModule ', '')).join(' '))
  }
  return emit.call(this, event, ...rest)
}
`

/** What costs a start milliseconds each, and is for names, threads, other hosts, metrics and tokens. */
const later = ['dns', 'cluster', 'worker_threads', 'https', 'zlib', 'assert', 'v8', 'undici']

for (const profile of ['minimal', 'server-full']) {
  const file = join(distDir(profile), 'svc.mjs')
  const what = `${profile} listens before it loads ${later.join(', ')}`
  if (!existsSync(file)) {
    skip(test, what, `${file} has not been built`)
    continue
  }
  test(what, async () => {
    const folder = folderWith({ 'hook.cjs': hook })
    const child = startChild(process.execPath, {
      args: ['--require', join(folder, 'hook.cjs'), file],
      env: { HOME: folder, RUST_LOG: 'error', SVC_SERVER__PORT: '0', SVC_SECURITY__JWT_SECRET: 'x'.repeat(40) },
    })
    try {
      const [, text = ''] = await child.waitFor(/LOADED (.*)\n/, 60_000)
      const loaded = new Set(text.split(' '))
      assert.ok(loaded.has('http'), 'the list is the real one')
      assert.equal(
        later.filter((name) => loaded.has(name) || loaded.has(`internal/deps/${name}/${name}`)),
        [],
      )
    } finally {
      await child.stop()
    }
  })
}

test.run()
