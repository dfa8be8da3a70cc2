/** Pages in a browser: serves the files of a folder on a new origin, and starts the browser of the machine. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { chromiumPath } from '../../scripts/chromium.ts'
import { WAIT_MS } from '../runner/limit.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** The path of the browser. */
export const executablePath: string = chromiumPath

/** The reason to skip tests that need a browser. Undefined if there is a browser. */
export const browserless: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath} (set SVC_CHROMIUM)`

/** Arguments of the browser: no sandbox, because containers do not permit it, and no background traffic. */
const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The driver of the browser. An import would parse its 4 MB a second time, to find the names of its exports. */
const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')

/** Starts the browser, whose contexts share nothing. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: browserArguments })
}

/** Starts the browser with a profile that is kept in a folder, and with further arguments. */
export async function launchProfile(
  folder: string,
  { args = [], ...options }: BrowserContextOptions & { readonly args?: readonly string[] } = {},
): Promise<BrowserContext> {
  const all = [...browserArguments, ...args]
  const context = await chromium.launchPersistentContext(folder, { ...options, executablePath, args: all })
  context.setDefaultTimeout(WAIT_MS)
  return context
}

/** Serves the files of a folder on loopback. */
export async function servePages(folder: string): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer(({ url }, response) => {
    const file = join(folder, new URL(url!, 'http://x').pathname)
    if (!existsSync(file)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
