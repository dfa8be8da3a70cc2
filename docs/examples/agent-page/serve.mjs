// Serves the page and, in place of a login, tokens of one user: node serve.mjs <address of the service> <command that prints a token>
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const [baseUrl, ...command] = process.argv.slice(2)
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('page.jsx', import.meta.url))],
  bundle: true,
  format: 'esm',
  jsx: 'automatic',
  minify: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  write: false,
})
const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>An agent behind svc</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
  ol { list-style: none; padding: 0 } li { margin: .5rem 0; padding: .5rem .75rem; border-radius: .5rem; width: fit-content }
  .user { background: #dbe7ff; margin-left: auto } .assistant { background: #eee }
  form { display: flex; gap: .5rem } input { flex: 1; font: inherit } [role=alert] { color: #a00 }
</style>
<body data-base-url="${baseUrl}"><div id="root"></div><script type="module" src="/page.js"></script>`
const answers = {
  '/': () => ['text/html', html],
  '/page.js': () => ['text/javascript', outputFiles[0].contents],
  '/token': () => ['text/plain', execFileSync(command[0], command.slice(1), { encoding: 'utf8' }).trim()],
}
createServer((request, response) => {
  const answer = answers[new URL(request.url, 'http://page').pathname]
  if (answer === undefined) return response.writeHead(404).end()
  const [type, body] = answer()
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}).listen(process.env.PORT ?? 3000, '127.0.0.1', function () {
  console.log(`http://127.0.0.1:${this.address().port}/`)
})
