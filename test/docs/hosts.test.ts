/**
 * The hosts of docs/examples/hosts, each on its platform with the built package: a restart, and a full storage medium.
 */
import { createPublicKey, verify } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import canonicalize from 'canonicalize'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PushReceipt } from '../../plugins/sync/api.ts'
import type { Submission } from '../../plugins/sync/engine/admission/admitted.ts'
import { distDir, root } from '../../scripts/build/paths.ts'
import { WAIT_MS } from '../runner/limit.ts'
import { createBareRealm, loadInBareRealm } from '../support/bare-realm.ts'
import { startChild } from '../support/child.ts'
import { filesOf } from '../support/docs.ts'
import { folderWith } from '../support/folder.ts'
import { browserless, launchProfile, servePages } from '../support/pages.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('docs/examples/hosts')
const sources = join(root, 'docs/examples/hosts')
const npm = distDir('npm')
const unpacked = existsSync(join(npm, 'sign.js')) ? undefined : 'make package has not been run'

interface Host {
  readonly keyId: string
  state(): { readonly pushes: number; readonly heads: readonly string[] }
  sign(): Promise<Uint8Array>
  submit(signed: Uint8Array): Promise<Submission>
  receipt(pushId: string): Promise<PushReceipt>
  close(): Promise<void>
}

/** A platform: opens the host on its stored state, and can simulate a full storage medium. */
interface Bench {
  open(): Promise<Host>
  setFull(full: boolean): void
}

/** A folder with the hosts, the files of the guide and the installed package. */
function project(): string {
  const folder = folderWith(filesOf('embedding-sync.md'))
  cpSync(sources, folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(npm, join(folder, 'node_modules/svc'))
  return folder
}

/** Checks that hold for every host. */
async function check({ open, setFull }: Bench): Promise<void> {
  const first = await open()
  const { status, receipt } = await first.submit(await first.sign())
  assert.equal([status, receipt.localState, first.state().pushes], [201, 'applied_locally', 1])
  await first.close()

  const next = await open()
  assert.is(next.keyId, first.keyId)
  assert.equal(plain(await next.receipt(receipt.pushId)), plain(receipt))
  setFull(true)
  const signed = await next.sign()
  assert.is(await codeOf(next.submit(signed)), '503 receipt_store_unavailable')
  assert.is(next.state().pushes, 1)
  setFull(false)
  const again = await next.submit(signed)
  assert.equal([again.status, next.state().pushes], [201, 2])
  assert.is((await next.submit(signed)).status, 200)
  await next.close()

  const last = await open()
  assert.equal([last.state().pushes, last.state().heads.length], [2, 1])
  assert.equal(plain((await last.submit(signed)).receipt), plain(again.receipt))
  await last.close()
}

testUnless(test, unpacked, 'the guide creates a key and signs a push, and Node verifies the signature', async () => {
  const { key, body } = (await import(pathToFileURL(join(project(), 'sign.mjs')).href)) as {
    key: { keyId: string; publicKey: Uint8Array }
    body: Uint8Array
  }
  const { signature, ...signed } = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>
  assert.equal([signed['signerKeyId'], signed['targetEndpointIds']], [key.keyId, []])
  const x = Buffer.from(key.publicKey).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const message = Buffer.from(canonicalize(signed)!)
  assert.ok(verify(null, message, publicKey, Buffer.from(signature as string, 'base64')))
})

async function assertRejects(work: Promise<unknown>, message: string): Promise<void> {
  const said = await work.then(
    () => 'nothing',
    (error: Error) => error.message,
  )
  assert.is(said, message)
}

testUnless(test, unpacked, 'the host runs on Node, in a folder', async () => {
  const folder = project()
  const { openNodeHost } = (await import(pathToFileURL(join(folder, 'node.mjs')).href)) as {
    openNodeHost(folder: string): Promise<Host>
  }
  const phone = join(folder, 'phone')
  /** Simulates a full medium: a file cannot be written at the path of a folder. */
  const setFull = (full: boolean): void =>
    full ? void mkdirSync(join(phone, 'sync.db.new')) : rmdirSync(join(phone, 'sync.db.new'))
  await check({ open: () => openNodeHost(phone), setFull })
  writeFileSync(join(phone, 'sync.db.new'), 'left by a crash')
  const run = async (): Promise<{ code: number | null; out: string; err: string }> => {
    const child = startChild(process.execPath, { args: ['node.mjs', 'phone'], cwd: folder })
    const { code } = await child.exited
    return { code, out: child.out, err: child.err }
  }
  const { code, out, err } = await run()
  assert.is(code, 0, err)
  assert.match(out, /^ed25519:[0-9a-f]{64} has pushed 3 times; \S+ is applied_locally\.\n$/)
  const open = await openNodeHost(phone)
  await assertRejects(openNodeHost(phone), 'This process has this folder open already.')
  const second = await run()
  assert.is(second.code, 1)
  assert.match(second.err, `Process ${process.pid} has this folder open.`)
  await open.close()
  assert.match((await run()).out, 'has pushed 4 times')
})

/** Files and secrets behind a bridge. A write can be refused, or fail in the middle. */
function createBridge() {
  const files = new Map<string, string>()
  const secrets = new Map<string, string>()
  const bridge = {
    files,
    refuse: (_path: string): boolean => false,
    cut: (_path: string): boolean => false,
    readFile: async (path: string) => files.get(path) ?? null,
    async writeFile(path: string, base64: string) {
      if (bridge.refuse(path)) throw new Error('no room')
      const isCut = bridge.cut(path)
      files.set(path, isCut ? base64.slice(0, base64.length >> 1) : base64)
      if (isCut) throw new Error('cut off')
    },
    getSecret: async (name: string) => secrets.get(name) ?? null,
    setSecret: async (name: string, base64: string) => void secrets.set(name, base64),
    asset: async (name: string) => readFileSync(join(npm, 'embedded-mobile', name)).toString('base64'),
  }
  return bridge
}

async function loadBridgeHost(): Promise<(bridge: unknown) => Promise<Host>> {
  const realm = createBareRealm()
  const globals = Object.getOwnPropertyNames(realm)
  for (const name of ['self', 'location', 'console', 'setTimeout', 'atob', 'Buffer'])
    assert.not(globals.includes(name), name)
  const loaded = await loadInBareRealm(join(sources, 'bridge.mjs'), realm, {
    'svc/embedded-mobile': join(npm, 'embedded-mobile.js'),
    'svc/sign': join(npm, 'sign.js'),
  })
  return loaded['openBridgeHost'] as (bridge: unknown) => Promise<Host>
}

testUnless(test, unpacked, 'the host runs behind a bridge, in a realm without other globals', async () => {
  const open = await loadBridgeHost()
  const bridge = createBridge()
  await check({
    open: () => open(bridge),
    setFull(full) {
      bridge.refuse = (path) => full && path.startsWith('sync.db')
    },
  })
})

testUnless(
  test,
  unpacked,
  'a push is applied once if the bridge fails in the middle of a write and the app is killed',
  async () => {
    const open = await loadBridgeHost()
    for (const broken of [1, 2]) {
      const bridge = createBridge()
      const first = await open(bridge)
      await first.submit(await first.sign())
      // A push writes its decision first and its receipt second. The push is applied between the two writes.
      let writes = 0
      bridge.cut = (path) => path.startsWith('sync.db') && ++writes >= broken
      const signed = await first.sign()
      assert.is(await codeOf(first.submit(signed)), '503 receipt_store_unavailable')
      bridge.cut = () => false
      const next = await open(bridge)
      assert.is(next.state().pushes, broken)
      assert.is((await next.submit(signed)).receipt.localState, 'applied_locally')
      assert.is(next.state().pushes, 2, 'applied once')
      await next.close()
    }
  },
)

for (const [place, path] of [
  ['the private files of its origin', 'opfs.html'],
  ['IndexedDB', 'opfs.html?indexeddb'],
] as const)
  testUnless(test, unpacked ?? browserless, `the host runs in a browser, in ${place}`, () => checkBrowser(path))

async function checkBrowser(path: string): Promise<void> {
  const folder = project()
  symlinkSync(npm, join(folder, 'svc'))
  const { origin, close } = await servePages(folder)
  const context = await launchProfile(folderWith())
  try {
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    const waitForText = async (text: string): Promise<void> => {
      await page
        .waitForFunction((text) => (document.getElementById('said') as HTMLOutputElement).value.includes(text), text, {
          timeout: WAIT_MS,
        })
        .catch(async (error: Error) => {
          const shown = await page.evaluate(() => (document.getElementById('said') as HTMLOutputElement).value)
          throw new Error(`${text} did not appear; the page says "${shown}". ${problems.join()} ${error.message}`)
        })
    }
    const key = (): Promise<string | null> => page.evaluate(() => document.getElementById('key')!.textContent)

    await page.goto(`${origin}/${path}`)
    await waitForText('0 pushes so far')
    const keyId = await key()
    assert.match(keyId ?? '', /^ed25519:[0-9a-f]{64}$/)
    await page.click('#push')
    await waitForText('1 pushes so far')

    await page.reload()
    await waitForText('1 pushes so far')
    assert.is(await key(), keyId, 'the key is the same')
    const other = await context.newPage()
    await other.goto(`${origin}/${path}`)
    await other.waitForFunction(() =>
      (document.getElementById('said') as HTMLOutputElement).value.includes('Another tab has this host open.'),
    )
    await other.close()

    const devtools = await context.newCDPSession(page)
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
    // Chromium applies a new quota for files at once, and for IndexedDB only some time later. So a failing write to
    // IndexedDB simulates a full medium.
    const put = await page.evaluateHandle(() => {
      const { put } = IDBObjectStore.prototype
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
      return put
    })
    await page.click('#push')
    await waitForText('receipt_store_unavailable')
    await devtools.send('Storage.overrideQuotaForOrigin', { origin })
    await page.evaluate((put) => {
      IDBObjectStore.prototype.put = put
    }, put)
    await page.click('#push')
    await waitForText('2 pushes so far')
    await page.reload()
    await waitForText('2 pushes so far')
    assert.equal(problems, [])
  } finally {
    await context.close()
    close()
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'taken',
    ({ status, code }: { status?: number; code?: string }) => `${status} ${code}`,
  )
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

test.run()
