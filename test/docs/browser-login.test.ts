/** docs/examples/browser-login: the three backends of the shop with the built service, and its page in Chromium. */
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import { freePort } from '../../scripts/free-port.ts'
import { startService } from '../../scripts/service.ts'
import { until } from '../../scripts/until.ts'
import { WAIT_MS } from '../runner/limit.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { browserless, launchBrowser } from '../support/pages.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('docs/examples/browser-login')
const npm = distDir('npm')
const unpacked = existsSync(join(npm, 'client.js')) ? undefined : 'make package has not been run'

/**
 * Seconds of a token, and milliseconds of a step of an order. Three steps take much longer than a token lives, so that
 * the stream needs a second token also where the page opens it late.
 */
const [TOKEN_SECONDS, STEP_MS] = [3, 3_000]

/** Milliseconds of a step of an order that does not end during a test. */
const ENDLESS_MS = 600_000

/** The browser of this file. Each user has a context of their own in it. */
let browser: Browser | undefined
test.before(async () => {
  if ((unpacked ?? browserless) === undefined) browser = await launchBrowser()
})
test.after(async () => browser?.close())

interface Shop {
  readonly origin: string
  readonly url: string
  stop(): Promise<void>
}

/** A folder with the example, and the packages that it imports. */
function project(): string {
  const folder = folderWith()
  cpSync(join(root, 'docs/examples/browser-login'), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(npm, join(folder, 'node_modules/svc'))
  for (const name of ['hono', 'express', '@hono'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}

async function startShop(server: string, stepMs: number = STEP_MS): Promise<Shop> {
  const [port, shopPort] = [await freePort(), await freePort()]
  const [url, origin] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${shopPort}`]
  const service = await startService({
    SVC_SERVER__PORT: String(port),
    SVC_SERVER__CORS_ORIGINS: JSON.stringify([origin]),
    SVC_SECURITY__DELEGATION: 'true',
  })
  const scopes = ['svc:act', 'svc:users:revoke', 'svc:runs:write']
  const token = await service.svc('token', '--sub', 'shop', '--scope', scopes.join(' '))
  const made = await fetch(`${url}/api/svc/auth/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'shop', scopes }),
  })
  const { key } = (await made.json()) as { key: string }
  const child = startChild(process.execPath, {
    args: [`${server}.mjs`],
    cwd: project(),
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(shopPort),
      SVC_URL: url,
      SHOP_KEY: key,
      TOKEN_SECONDS: String(TOKEN_SECONDS),
      STEP_MS: String(stepMs),
    },
  })
  await child.waitFor(/Listening\./, WAIT_MS)
  return {
    origin,
    url,
    stop: async () => {
      await child.stop('SIGKILL')
      await service.stop()
    },
  }
}

/** A page with the tokens that it has got, and the addresses that it has called. */
interface Watched {
  readonly page: Page
  readonly tokens: string[]
  readonly addresses: string[]
  readonly problems: string[]
}

async function watch(): Promise<Watched> {
  const page = await (await browser!.newContext()).newPage()
  page.setDefaultTimeout(WAIT_MS)
  const watched: Watched = { page, tokens: [], addresses: [], problems: [] }
  page.on('pageerror', (error) => watched.problems.push(String(error)))
  page.on('request', (request) => watched.addresses.push(request.url()))
  page.on('response', (response) => {
    if (!response.url().endsWith('/token') || !response.ok()) return
    // The body is gone if the page is.
    const kept = response.json() as Promise<{ access_token: string }>
    kept.then(({ access_token }) => watched.tokens.push(access_token)).catch(() => undefined)
  })
  return watched
}

async function logIn(page: Page, user: string, password: string): Promise<void> {
  await page.fill('[name=user]', user)
  await page.fill('[name=password]', password)
  await page.click('#login button')
}

async function order(page: Page, text: string): Promise<void> {
  await page.click('#order')
  await waitForOrders(page, [text])
}

async function waitForOrders(page: Page, orders: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) => [...document.querySelectorAll('#orders li')].map((one) => one.textContent?.trim()).join() === wanted,
    orders.join(),
  )
}

async function status(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/api/svc/runs`, { headers: { authorization: `Bearer ${token}` } })
  const { error } = (await response.json()) as { error?: { code: string } }
  return `${response.status} ${error?.code ?? ''}`.trim()
}

for (const server of ['hono', 'express', 'plain'])
  testUnless(test, unpacked ?? browserless, `${server}: login, a stream over several tokens, logout`, async () => {
    const shop = await startShop(server)
    try {
      const ada = await watch()
      await ada.page.goto(shop.origin)
      await ada.page.waitForSelector('#login', { state: 'visible' })
      await logIn(ada.page, 'ada', 'wrong')
      await ada.page.waitForFunction(() => document.querySelector('output')!.value !== '')
      await logIn(ada.page, 'ada', 'analytical')
      await order(ada.page, 'packed sent delivered')
      assert.ok(ada.tokens.length >= 2, `a stream of ${3 * STEP_MS} ms had ${ada.tokens.length} tokens`)
      const streams = ada.addresses.filter((address) => address.endsWith('/stream'))
      assert.ok(streams.length >= 2, 'the stream was opened again')
      assert.not.ok(
        ada.addresses.some((address) => address.includes('eyJ')),
        'no address has a token',
      )

      await ada.page.reload()
      await waitForOrders(ada.page, ['packed sent delivered'])
      const alan = await watch()
      await alan.page.goto(shop.origin)
      await alan.page.waitForSelector('#login', { state: 'visible' })
      await logIn(alan.page, 'alan', 'enigma')
      await alan.page.waitForSelector('#shop', { state: 'visible' })

      await ada.page.click('#order')
      await ada.page.waitForFunction(() => document.querySelectorAll('#orders li').length === 2)
      const count = ada.tokens.length
      await ada.page.evaluate(() => fetch('/token', { method: 'POST' }))
      await until('the page gets another token', () => ada.tokens.length > count, WAIT_MS)
      const last = ada.tokens.at(-1)!
      assert.is(await status(shop.url, last), '200')
      await ada.page.click('#logout')
      await ada.page.waitForSelector('#login', { state: 'visible' })
      assert.is(await status(shop.url, last), '401 token_revoked')
      assert.is(await ada.page.evaluate(async () => (await fetch('/token', { method: 'POST' })).status), 401)
      assert.is(await alan.page.locator('#orders li').count(), 0)
      assert.equal([...ada.problems, ...alan.problems], [])
    } finally {
      await shop.stop()
    }
  })

testUnless(test, unpacked ?? browserless, 'the EventSource of the browser is refused, as the page says', async () => {
  const shop = await startShop('plain')
  try {
    const { page } = await watch()
    await page.goto(shop.origin)
    const state = page.evaluate(
      (url) =>
        new Promise<number>((resolve) => {
          const source = new EventSource(url)
          source.onerror = () => resolve(source.readyState)
        }),
      `${shop.url}/api/svc/runs/r/stream`,
    )
    const refused = await page.waitForResponse((response) => response.url().endsWith('/stream'))
    assert.equal([refused.status(), await state], [401, 2])
  } finally {
    await shop.stop()
  }
})

testUnless(test, unpacked ?? browserless, 'a second tab of the session shows the login after a logout', async () => {
  const shop = await startShop('hono', ENDLESS_MS)
  try {
    const { page } = await watch()
    await page.goto(shop.origin)
    await page.waitForSelector('#login', { state: 'visible' })
    await logIn(page, 'ada', 'analytical')
    await page.waitForSelector('#shop', { state: 'visible' })
    await page.click('#order')
    await page.waitForFunction(() => document.querySelectorAll('#orders li').length === 1)
    const second = await page.context().newPage()
    await second.goto(shop.origin)
    await second.waitForFunction(() => document.querySelectorAll('#orders li').length === 1)
    await page.click('#logout')
    await second.waitForSelector('#login', { state: 'visible' })
  } finally {
    await shop.stop()
  }
})

test.run()
