import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { createBareRealm, loadInBareRealm } from '../../support/bare-realm.ts'
import { filesOf } from '../../support/docs.ts'
import { testUnless } from '../../support/skip.ts'
import { createSigner, signed } from '../../unit/sync/platforms.ts'

const dist = distDir('embedded-mobile')
const unbuilt = existsSync(join(dist, 'index.mjs')) ? undefined : `${dist} has not been built`
const example = filesOf('embedding-sync.md')['example.js']!

interface Ran {
  status: number
  replayStatus: number
  kinds: string[]
  globals: string[]
  code: string
}

/** Creates a bare realm with the bundle as `svc`, and with the values that the example needs. */
async function bareRealm(): Promise<{ run: (script: string) => Promise<Ran> }> {
  const alice = createSigner()
  const realm = createBareRealm({
    wasm: [...readFileSync(join(dist, 'sql-wasm.wasm'))],
    body: [...signed(alice, { issuedAtMs: Date.now() })],
    myKeyId: alice.keyId,
  })
  Object.assign(realm, { svc: await loadInBareRealm(join(dist, 'index.mjs'), realm) })
  return { run: (script) => runInContext(script, realm) as Promise<Ran> }
}

testUnless(test, unbuilt, 'the example host of the guide runs in a bare realm with the shipped bundle', async () => {
  const realm = await bareRealm()
  const ran = await realm.run(`(async () => {
    const { createEmbedded } = svc
    const sqlWasm = new Uint8Array(wasm)
    const signedPush = new Uint8Array(body)
    ${example}
    const refused = await later.sync.submit(signedPush).catch((error) => error)
    return { status, replayStatus: replay.status, kinds, code: refused.code, globals: Object.getOwnPropertyNames(globalThis) }
  })()`)
  assert.is(ran.status, 201)
  assert.is(ran.replayStatus, 200)
  assert.is(ran.kinds.join(), 'accepted,prepared,applied_locally')
  assert.is(ran.code, 'receipt_store_unavailable', 'a closed engine accepts no push')
  for (const name of ['process', 'setTimeout', 'console', 'self']) assert.not(ran.globals.includes(name), name)
})

testUnless(test, unbuilt, 'globals whose getters throw have no effect', async () => {
  const names = ['window', 'document', 'self', 'module', 'exports', 'define', 'WorkerGlobalScope', 'console', 'process']
  const realm = await bareRealm()
  const code = await realm.run(`(async () => {
    for (const name of ${JSON.stringify(names)})
      Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(name) } })
    const { createEmbedded } = svc
    const sqlWasm = new Uint8Array(wasm)
    const signedPush = new Uint8Array(body)
    ${example}
    return { status, replayStatus: replay.status, kinds, code: '', globals: [] }
  })()`)
  assert.equal([code.status, code.replayStatus], [201, 200])
})

testUnless(test, unbuilt, 'the bundle is at most 48 KiB compressed, without the wasm', () => {
  const bytes = gzipSync(readFileSync(join(dist, 'index.mjs')), { level: 9 }).byteLength
  assert.ok(bytes <= 48 * 1024, `${bytes} bytes`)
  assert.ok(statSync(join(dist, 'sql-wasm.wasm')).size > 0)
})

test.run()
