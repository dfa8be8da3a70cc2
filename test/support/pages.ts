/** Pages in a browser: serves the files of a folder on a new origin, and finds the browser of the machine. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** The path of the browser. */
export const executablePath: string = process.env['SVC_CHROMIUM'] ?? '/usr/bin/chromium'

/** The reason to skip tests that need a browser. Undefined if there is a browser. */
export const browserless: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath} (set SVC_CHROMIUM)`

/** Arguments of the browser: no sandbox, because containers do not permit it, and no background traffic. */
export const browserArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

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
