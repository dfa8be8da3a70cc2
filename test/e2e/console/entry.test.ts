/** Access control of the console, on the shipped program. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { TestNode } from '../kbd/node.ts'
import { unbuilt } from '../sync/shipped.ts'
import { type Answer, createConsoleNode, sendTo, startConsole, startConsoleProcess, type TestConsole } from './rig.ts'

const test = suite('svc console: entry')
const notRoot = process.getuid?.() === 0 ? undefined : 'only root can be another user'
const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)(\/enter\?code=[\w-]+)/

let node: TestNode
let shown: TestConsole
test.before(async () => {
  if (unbuilt !== undefined) return
  node = await createConsoleNode()
  shown = await startConsole(node, ['--write'])
})
test.after(async () => {
  await shown?.stop()
})

const host = (): string => `127.0.0.1:${shown.port}`
const refused = (answer: Answer, status: number, code: string): void =>
  assert.equal([answer.status, answer.json().error?.code], [status, code])

testUnless(
  test,
  unbuilt,
  'the printed address works once, and Enter prints a new address that replaces all others',
  async () => {
    const child = startConsoleProcess(node)
    const [, port, path] = await child.waitFor(ADDRESS)
    assert.is(child.out.trim().split('\n').length, 1, 'the address is alone on stdout')
    const at = Number(port)
    assert.is((await sendTo(at, path!, { method: 'HEAD' })).status, 303, 'a HEAD request does not use the code')
    const entered = await sendTo(at, path!, {})
    assert.is(entered.status, 303)
    const cookie = String(entered.headers['set-cookie'])
    const folder = entered.headers.location!
    assert.match(cookie, new RegExp(`^svc-console-${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=${folder}$`))
    assert.match(folder, /^\/[\w-]{22}\/$/)
    refused(await sendTo(at, path!, {}), 403, 'code_used')
    refused(await sendTo(at, '/enter?code=', {}), 403, 'code_used')
    refused(await sendTo(at, '/enter', {}), 403, 'code_used')
    child.write('\n')
    await child.waitFor(/code=[\s\S]+code=/)
    child.write('\n')
    await child.waitFor(/code=[\s\S]+code=[\s\S]+code=/)
    const [, second, third] = child.out.match(/\/enter\?code=[\w-]+/g)!
    refused(await sendTo(at, second!, {}), 403, 'code_used')
    assert.is((await sendTo(at, third!, {})).status, 303)
    assert.is((await child.stop('SIGINT')).code, 0)
  },
)

testUnless(test, unbuilt, 'each browser has a cookie of its own, and signs out alone: its streams end', async () => {
  // A console that only reads, because signing out changes nothing of the service.
  const child = startConsoleProcess(node)
  const [, port, first] = await child.waitFor(ADDRESS)
  const at = Number(port)
  const enter = async (path: string): Promise<{ readonly cookie: string; readonly folder: string }> => {
    const { headers } = await sendTo(at, path, {})
    return { cookie: String(headers['set-cookie']).split(';')[0]!, folder: headers.location! }
  }
  const one = await enter(first!)
  child.write('\n')
  await child.waitFor(/code=[\s\S]+code=/)
  const two = await enter(child.out.match(/\/enter\?code=[\w-]+/g)![1]!)
  assert.is(one.folder, two.folder)
  assert.is.not(one.cookie, two.cookie)
  const session = ({ cookie, folder }: typeof one): Promise<Answer> =>
    sendTo(at, `${folder}console/session`, { headers: { cookie } })
  assert.equal([(await session(one)).status, (await session(two)).status], [200, 200])

  const origin = `http://127.0.0.1:${at}`
  const path = `${one.folder}console/sign-out`
  refused(await sendTo(at, path, { method: 'POST', headers: { cookie: one.cookie } }), 403, 'foreign_origin')
  const left = await sendTo(at, path, { method: 'POST', headers: { cookie: one.cookie, origin } })
  assert.is(left.status, 204)
  assert.match(String(left.headers['set-cookie']), /^svc-console-\d+=; .*Max-Age=0$/)
  refused(await session(one), 401, 'session_missing')
  assert.is((await session(two)).status, 200, 'the other browser stays')
  refused(await sendTo(at, path, { method: 'POST', headers: { cookie: one.cookie, origin } }), 401, 'session_missing')
  await child.stop('SIGINT')
})

testUnless(test, unbuilt, 'the streams of a browser end when it signs out', async () => {
  const streaming = await startConsole(node)
  const stream = await streaming.open('runtime/api/live?topics=*')
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()).once('error', () => undefined))
  stream.resume()
  assert.is((await streaming.ask('console/sign-out', { method: 'POST' })).status, 204)
  await closed
  await streaming.stop()
})

testUnless(
  test,
  unbuilt,
  'an entry from another site gets a page that reloads, because the cookie is SameSite=Strict',
  async () => {
    const child = startConsoleProcess(node)
    const [, port, path] = await child.waitFor(ADDRESS)
    const opening = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const hidden = await sendTo(Number(port), path!, { headers: { ...opening, 'sec-fetch-dest': 'iframe' } })
    refused(hidden, 403, 'foreign_origin')
    const page = await sendTo(Number(port), path!, { headers: opening })
    assert.is(page.status, 200)
    const [, folder] = /; Path=(\/[\w-]+\/)$/.exec(String(page.headers['set-cookie']))!
    assert.match(page.text, `<meta http-equiv="refresh" content="0;url=${folder}">`)
    await child.stop('SIGINT')
  },
)

testUnless(
  test,
  unbuilt,
  'without the cookie every path gets 401, as JSON or as a page for a browser navigation',
  async () => {
    for (const path of ['', 'app.js', 'boards', 'runtime/readyz', 'local/ready', 'console/session', 'nothing.txt'])
      refused(await shown.ask(path, { isStranger: true }), 401, 'session_missing')
    refused(await sendTo(shown.port, '/', {}), 401, 'session_missing')
    const [name, value] = shown.cookie.split('=') as [string, string]
    const wrong = [
      `${name}=`,
      `${name}=${value.slice(1)}`,
      `${name}=${value}x`,
      `x=${value}`,
      `${name}=${'A'.repeat(43)}`,
    ]
    for (const cookie of wrong)
      refused(await shown.ask('console/session', { isStranger: true, headers: { cookie } }), 401, 'session_missing')
    const navigation = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }
    const page = await shown.ask('', { isStranger: true, headers: navigation })
    assert.is(page.status, 401)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(page.text, /Open the address that the terminal printed/)
  },
)

testUnless(test, unbuilt, 'an additional cookie of the same name from another port does not block access', async () => {
  const [name] = shown.cookie.split('=')
  const cookie = `${name}=thrown-in; ${shown.cookie}; other=1`
  assert.is((await shown.ask('console/session', { isStranger: true, headers: { cookie } })).status, 200)
})

testUnless(test, unbuilt, 'the cookie is valid only below the secret path', async () => {
  for (const path of ['/', '/console/session', '/runtime/readyz', `${shown.folder.slice(0, -1)}x/console/session`])
    refused(await sendTo(shown.port, path, { headers: { cookie: shown.cookie } }), 404, 'not_found')
})

testUnless(test, unbuilt, 'any other Host is refused, because of DNS rebinding', async () => {
  const names = ['evil.example', `evil.example:${shown.port}`, 'localhost', `localhost:${shown.port}`, '127.0.0.1']
  for (const name of [...names, `127.0.0.1:${shown.port + 1}`, `127.0.0.1.:${shown.port}`, `${host()}.`])
    refused(await shown.ask('console/session', { headers: { host: name } }), 421, 'wrong_host')
  const two = `GET ${shown.folder} HTTP/1.1\r\nHost: ${host()}\r\nHost: evil.example\r\nCookie: ${shown.cookie}\r\n\r\n`
  assert.match(await shown.raw(two), /^HTTP\/1\.1 4(?:00|21) /)
  const empty = `GET ${shown.folder} HTTP/1.1\r\nHost:\r\nCookie: ${shown.cookie}\r\nConnection: close\r\n\r\n`
  assert.match(await shown.raw(empty), /^HTTP\/1\.1 421 /)
  const none = `GET ${shown.folder} HTTP/1.1\r\nCookie: ${shown.cookie}\r\n\r\n`
  assert.match(await shown.raw(none), /^HTTP\/1\.1 400 /)
  const old = `GET ${shown.folder} HTTP/1.0\r\nCookie: ${shown.cookie}\r\n\r\n`
  assert.match(await shown.raw(old), /^HTTP\/1\.1 421 /)
})

testUnless(test, unbuilt, 'every request of a page of another origin is refused', async () => {
  const origins = [
    'http://evil.example',
    'null',
    `http://localhost:${shown.port}`,
    `https://${host()}`,
    `http://${host()}.`,
    '',
  ]
  for (const origin of [...origins, 'http://127.0.0.1', `http://127.0.0.1:${shown.port + 1}`])
    for (const method of ['GET', 'POST'])
      refused(await shown.ask('local/ready', { method, headers: { origin } }), 403, 'foreign_origin')
  const headers = { origin: shown.origin }
  assert.is((await shown.ask('console/session', { headers })).status, 200)
  const sites = ['cross-site', 'same-site']
  for (const site of sites)
    refused(await shown.ask('console/session', { headers: { 'sec-fetch-site': site } }), 403, 'foreign_origin')
  for (const site of [...sites, 'none'])
    refused(await shown.ask('local/x', { method: 'POST', headers: { 'sec-fetch-site': site } }), 403, 'foreign_origin')
  const opening = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  refused(
    {
      ...(await shown.ask('', { headers: opening })),
      json: () => ({ error: { code: 'foreign_origin', message: '' } }),
    },
    403,
    'foreign_origin',
  )
})

testUnless(test, unbuilt, 'a request that is not GET is refused without an Origin', async () => {
  const head = (method: string): string =>
    `${method} ${shown.folder}local/api/v1/kbd/import HTTP/1.1\r\nHost: ${host()}\r\nCookie: ${shown.cookie}\r\nConnection: close\r\n\r\n`
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
    assert.match(await shown.raw(head(method)), /^HTTP\/1\.1 403 [\s\S]*"foreign_origin"/)
})

testUnless(test, unbuilt, 'no answer can be framed, sniffed, cached or read by another origin', async () => {
  const answers = [
    await shown.ask(''),
    await shown.ask('app.js'),
    await shown.ask('console/session'),
    await shown.ask('local/ready'),
    await shown.ask('console/nothing'),
    await shown.ask('', { isStranger: true }),
    await shown.ask('', { headers: { host: 'evil.example' } }),
    await sendTo(shown.port, '/enter?code=x', {}),
  ]
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.not.match(policy, /unsafe|\*|https?:/)
    assert.is(headers['x-frame-options'], 'DENY')
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['referrer-policy'], 'no-referrer')
    assert.is(headers['cross-origin-opener-policy'], 'same-origin')
    assert.is(headers['cross-origin-resource-policy'], 'same-origin')
    assert.match(String(headers['cache-control']), /no-store/)
    assert.not.ok(Object.keys(headers).some((name) => name.startsWith('access-control-')))
  }
  assert.is(
    answers[0]!.headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
})

testUnless(
  test,
  unbuilt,
  'the page is served for all its paths, and loads its files from below the secret path',
  async () => {
    for (const path of ['', 'boards', 'boards/demo?card=1', 'runs/a-b']) {
      const { status, text, headers } = await shown.ask(path)
      assert.is(status, 200)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.ok(text.includes(`src="${shown.folder}app.js"`) && text.includes(`href="${shown.folder}app.css"`))
      assert.not.match(text, /<script(?![^>]* src=)|<style| style=| on\w+=/)
    }
    assert.match(String((await shown.ask('app.js')).headers['content-type']), /^text\/javascript/)
    assert.match(String((await shown.ask('app.css')).headers['content-type']), /^text\/css/)
    refused(await shown.ask('app.map'), 404, 'not_found')
    refused(await shown.ask('boards', { method: 'POST' }), 405, 'method_not_allowed')
  },
)

testUnless(test, unbuilt ?? notRoot, 'another user of this machine has no access to any path', async () => {
  const script = `
    const paths = ${JSON.stringify(['/', '/enter', '/console/session', '/runtime/readyz', `${shown.folder}console/session`])}
    const all = paths.map((path) => fetch('http://${host()}' + path).then((answer) => answer.status))
    Promise.all(all).then((seen) => console.log(JSON.stringify(seen)))`
  const stranger = startChild(process.execPath, { args: ['-e', script], uid: 65_534, gid: 65_534, cwd: '/' })
  await stranger.exited
  assert.equal(JSON.parse(stranger.out), [401, 403, 401, 401, 401], stranger.err)
})

testUnless(
  test,
  unbuilt,
  '--open passes the address to the browser in a private file, and the code is in no argument',
  async () => {
    const bin = join(node.folder, 'bin')
    const temporary = join(node.folder, 'tmp')
    for (const folder of [bin, temporary]) mkdirSync(folder)
    const opener = join(bin, process.platform === 'darwin' ? 'open' : 'xdg-open')
    writeFileSync(
      opener,
      `#!/bin/sh\nprintf '%s' "$*" > ${node.folder}/argument.part\nmv ${node.folder}/argument.part ${node.folder}/argument\n`,
    )
    chmodSync(opener, 0o755)
    const env = { PATH: `${bin}:${process.env['PATH']}`, TMPDIR: temporary }
    const child = startConsoleProcess(node, ['--open'], { env })
    await child.waitFor(/The browser opens the console/)
    assert.is(child.out, '', 'the address is not printed')
    const [folder] = readdirSync(temporary)
    const file = join(temporary, folder!, 'open.html')
    assert.is(statSync(file).mode & 0o777, 0o600)
    assert.is(statSync(dirname(file)).mode & 0o777, 0o700)
    const [, port, path] = ADDRESS.exec(readFileSync(file, 'utf8'))!
    await waitFor('the opener has run', () => existsSync(join(node.folder, 'argument')))
    assert.is(readFileSync(join(node.folder, 'argument'), 'utf8'), file)
    assert.is((await sendTo(Number(port), path!, {})).status, 303)
    assert.equal(readdirSync(temporary), [], 'the file is deleted after its use')
    await child.stop('SIGINT')
  },
)

test.run()
