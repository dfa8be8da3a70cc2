/**
 * The backend of the app over HTTPS: the login and the tokens of docs/examples/browser-login, and the files of the page.
 *
 *   SVC_URL=… SHOP_KEY=… TOKEN_SCOPE='sync:push kbd:read kbd:write' CERT=backend.crt KEY=backend.key HOST=… PORT=… FILES=… node backend.mjs
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { extname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { cookieOf, login, sessionOf, token } from '../browser-login/shop.mjs'

const { CERT, KEY, HOST = '127.0.0.1', PORT, FILES = '.' } = process.env

/** Files of the page: those of the examples, of the package svc, and of the library as board/. */
const FILE = /^\/(?:pocket-board|hosts|svc|board)\/[\w-]+\.(?:html|mjs|js|wasm)(?=$|\?)/
const types = {
  '.html': 'text/html',
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
}

const routes = {
  async '/login'(request, response) {
    const id = login(await json(request))
    if (id === undefined) response.writeHead(401).end()
    else response.writeHead(204, { 'set-cookie': cookieOf(id) }).end()
  },
  async '/token'(request, response) {
    const answer = await token(sessionOf(request.headers.cookie))
    if (answer === undefined) response.writeHead(401).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify(answer))
  },
}

async function sendFile(request, response) {
  const [path] = FILE.exec(request.url) ?? []
  const bytes = path === undefined ? undefined : await readFile(join(FILES, path)).catch(() => undefined)
  if (bytes === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': types[extname(path)] }).end(bytes)
}

createServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }, async (request, response) => {
  const route = request.method === 'POST' ? routes[request.url] : sendFile
  if (route === undefined) return response.writeHead(404).end()
  try {
    await route(request, response)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
}).listen(Number(PORT), HOST, () => console.log('Listening.'))
