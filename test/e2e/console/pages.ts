/** The page of the console in a browser, with a shipped node. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { test as defaultTest } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../scripts/free-port.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { browserless, launchBrowser } from '../../support/pages.ts'
import { testUnless } from '../../support/skip.ts'
import { programArgs } from '../kbd/node.ts'
import { unbuilt, untilHealthy } from '../sync/shipped.ts'

/** A node for a console: with both surfaces, and with peers. */
export interface PageNode {
  readonly folder: string
  readonly origin: string
  /** Runs a command that must succeed, and returns its output. */
  svc(...args: readonly string[]): Promise<string>
  stop(): Promise<void>
  /** Lets the process of the service hang, and go on. */
  hang(): void
  goOn(): void
  /** Starts the node again, on the same ports. */
  restart(): Promise<void>
}

/** Starts a node in a separate folder; `more` has further settings in its environment. */
export async function startPageNode(more: Readonly<Record<string, string>> = {}): Promise<PageNode> {
  const folder = folderWith()
  mkdirSync(join(folder, 'run'), { mode: 0o700 })
  const port = await freePort()
  const place = { folder, state: join(folder, 'state'), socketPath: join(folder, 'run', 's.sock') }
  const env = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    RUST_LOG: 'info',
    SVC_SERVER__PORT: String(port),
    SVC_SECURITY__JWT_SECRET: 'a-secret-of-a-test-of-at-least-32-bytes',
    SVC_STORAGE__DIR: place.state,
    SVC_SYNC__SOCKET_PATH: place.socketPath,
    SVC_PEER__LISTEN: `127.0.0.1:${await freePort()}`,
    ...more,
  }
  const start = (...args: readonly string[]): Child =>
    startChild(process.execPath, { args: [...programArgs, ...args], cwd: folder, env })
  let service = start()
  await untilHealthy(service, place)
  const node: PageNode = {
    folder,
    origin: `http://127.0.0.1:${port}`,
    async svc(...args) {
      const child = start(...args)
      const { code } = await child.exited
      assert.is(code, 0, `svc ${args.join(' ')}: ${child.out}${child.err}`)
      return child.out.trim()
    },
    async stop() {
      assert.is((await service.stop()).code, 0)
    },
    hang: () => void process.kill(service.pid, 'SIGSTOP'),
    goOn: () => void process.kill(service.pid, 'SIGCONT'),
    async restart() {
      service = start()
      await untilHealthy(service, place)
    },
  }
  starts.set(node, start)
  return node
}

const starts = new WeakMap<PageNode, (...args: readonly string[]) => Child>()

/** A console with its page in a browser. */
export interface OpenConsole {
  readonly page: Page
  /** Ends the console and leaves its page open. */
  end(): Promise<void>
  /** Opens a path of the page. */
  go(path: string): Promise<void>
  /** Shows a path like `showPath`. What a test has evaluated in the page stays. */
  show(path: string): Promise<void>
  /** The faults of the page so far: exceptions, dialogs, and violations of its content security policy. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

/**
 * Closes a page with its context. The page asks repeatedly, so a handler of a route may be at work: its errors are
 * ignored.
 */
export async function closePage(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
}

/**
 * Shows a path in a page that stays loaded, as Back and Forward of the browser do, because to load the page costs 0.3 s
 * of processor time. The view before is still shown when this resolves.
 */
export async function showPath(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Starts `svc console` and opens the address that it prints. */
export async function openConsole(node: PageNode, browser: Browser, ...args: readonly string[]): Promise<OpenConsole> {
  const child = starts.get(node)!('console', ...args)
  const [address] = await child.waitFor(/http:\/\/127\.0\.0\.1:\d+\/enter\?code=[\w-]+/, WAIT_MS)
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    // Otherwise colours would be measured in the middle of a transition.
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('dialog', (dialog) => {
    faults.push(`a script ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
  await page.goto(address)
  await page.waitForSelector('main h1')
  const folder = new URL(page.url()).pathname.split('/')[1]!
  return {
    page,
    faults,
    end: async () => void (await child.stop('SIGINT')),
    async go(path) {
      await page.goto(`${new URL(address).origin}/${folder}${path}`)
      await page.waitForSelector('main h1')
    },
    show: (path) => showPath(page, `/${folder}${path}`),
    async close() {
      await closePage(page)
      await child.stop('SIGINT')
    },
  }
}

/** The header of an answer that a test gives in the place of the console. */
export async function answerHeaders(page: Page): Promise<Record<string, string>> {
  const instance = await page.getAttribute('meta[name="console-instance"]', 'content')
  return { 'x-console-instance': instance! }
}

/** Calls the runtime surface of a node as one user. Fails if the service refuses the call. */
export type Call = (method: string, path: string, body: unknown) => Promise<void>

/** Calls as a user; without a name, as the default user of the console. */
export async function callsOf(node: PageNode, user = 'developer'): Promise<Call> {
  const token = await node.svc('token', '--sub', user)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (method, path, body) => {
    const reply = await fetch(node.origin + path, { method, headers, body: JSON.stringify(body) })
    assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${await reply.text()}`)
  }
}

const axeSource = join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js')

/** The violations that axe-core finds in the page. */
export async function violationsIn(page: Page, options: RunOptions = {}): Promise<readonly string[]> {
  // The policy of the page blocks scripts in the document, so axe-core is evaluated instead, once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(axeSource, 'utf8'))
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // Describing the elements that pass would take a third of the time.
    const { violations } = await axe.run({ ...options, reporter: 'no-passes' })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`)
  }, options)
}

/** Whether the page can be scrolled horizontally at this width. */
export async function isWiderThan(page: Page, width: number): Promise<boolean> {
  await page.setViewportSize({ width, height: 800 })
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}

/** The browser of this file. Each test has contexts of its own in it. */
let browser: Promise<Browser> | undefined

defaultTest.after(async () => (await browser)?.close())

/**
 * Adds a test that gets the browser of the file. The test is skipped with the reason if there is no browser or no
 * program.
 */
export function pageTest(name: string, run: (browser: Browser) => Promise<void>): void {
  testUnless(defaultTest, browserless ?? unbuilt, name, async () => {
    browser ??= launchBrowser()
    const runningBrowser = await browser
    try {
      await run(runningBrowser)
    } finally {
      // What a failed test has left open.
      await Promise.all(runningBrowser.contexts().map((context) => context.close()))
    }
  })
}

/** A text that would run code, change the text direction, or hide characters if it were shown unescaped. */
export const HOSTILE: string = `<img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe\u200b`
