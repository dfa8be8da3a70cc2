/** Requests that the console forwards to the service, and the answers, on the shipped program. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { closed } from '../../support/closed.ts'
import { testUnless } from '../../support/skip.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { TestNode } from '../kbd/node.ts'
import { unbuilt } from '../sync/shipped.ts'
import { type Answer, createConsoleNode, startConsole, startRecorder, type TestConsole } from './rig.ts'

const test = suite('svc console: passing on')

let node: TestNode
let reader: TestConsole
let writer: TestConsole
test.before(async () => {
  if (unbuilt !== undefined) return
  node = await createConsoleNode()
  await node.start()
  reader = await startConsole(node)
  writer = await startConsole(node, ['--write'])
})
test.after(async () => {
  await reader?.stop()
  await writer?.stop()
  if (unbuilt === undefined) await node.stop()
})

const refused = (answer: Answer, status: number, code: string): void =>
  assert.equal([answer.status, answer.json().error?.code], [status, code])

testUnless(
  test,
  unbuilt,
  'both surfaces answer, and the runtime surface gets the credential of the console',
  async () => {
    assert.is((await reader.ask('runtime/readyz')).status, 200)
    assert.equal((await reader.ask('runtime/api/svc/runs?limit=1')).json()['runs'], [])
    assert.is((await reader.ask('runtime/metrics')).headers['content-type']?.split(';')[0], 'text/plain')
    assert.is((await reader.ask('local/ready')).json()['status'], 'ready')
    assert.is((await reader.ask('local/openapi.json')).json()['openapi'], '3.1.0')
    const anonymous = await reader.ask('runtime/api/svc/runs', { headers: { 'x-console-anonymous': '1' } })
    assert.is(anonymous.status, 401)
    const credentials = { authorization: 'Bearer x', 'x-api-key': 'svc_x' }
    const other = await reader.ask('runtime/api/svc/runs', { headers: { ...credentials, 'x-console-anonymous': '1' } })
    assert.is(other.json().error?.code, anonymous.json().error?.code, 'a credential of the page is not forwarded')
    assert.is((await reader.ask('runtime/nothing')).status, 404)
  },
)

testUnless(test, unbuilt, 'a console without --write forwards only GET and HEAD', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])
    for (const path of [
      'runtime/api/svc/runs',
      'local/api/v1/kbd/import',
      'console/sign',
      'console/devices',
      'boards',
    ]) {
      const answer = await reader.ask(path, { method, body: {} })
      refused(answer, 403, 'read_only')
      assert.match(answer.json().error!.hint!, /svc console --write/)
    }
  assert.equal((await reader.ask('runtime/api/svc/runs')).json()['runs'], [])
  for (const method of ['OPTIONS', 'PROPFIND', 'REPORT'])
    refused(await writer.ask('local/ready', { method }), 405, 'method_not_allowed')
})

testUnless(test, unbuilt, 'nothing that is for the owner of the machine alone is forwarded', async () => {
  for (const one of [reader, writer])
    for (const path of [
      'local/api/v1/admin/runs',
      'local/api/v1/admin',
      'local/api/v1/admin/runs/tenants?user=ann',
      // A lenient router would read the same path.
      'local/api/v1/%61dmin/runs',
      'local/api/v1/ADMIN/runs',
      'runtime/api/v1/admin/runs',
    ])
      refused(await one.ask(path), 403, 'forbidden')
  const cancel = 'local/api/v1/admin/runs/r/cancel?user=ann&tenant=default'
  refused(await writer.ask(cancel, { method: 'POST', body: {} }), 403, 'forbidden')
})

testUnless(test, unbuilt, 'a stream is forwarded without delay, and the body of a request arrives', async () => {
  const run = { run_id: 'r-1', thread_id: 't-1' }
  assert.is((await writer.ask('runtime/api/svc/runs', { method: 'POST', body: run })).status, 201)
  const stream = await reader.open('runtime/api/svc/runs/r-1/stream')
  assert.is(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
  let seen = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk
  })
  await waitFor('the first line', () => /^retry: /m.test(seen))
  assert.not.match(seen, /RUN_STARTED/)
  const events = [{ type: 'RUN_STARTED', threadId: 't-1', runId: 'r-1' }]
  assert.is((await writer.ask('runtime/api/svc/runs/r-1/events', { method: 'POST', body: events })).status, 200)
  await waitFor('the event', () => seen.includes('RUN_STARTED'))
  const open = async (): Promise<number> => {
    const { text } = await reader.ask('runtime/metrics')
    return Number(/^svc_sse_connections\{stream="run"\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
  assert.is(await open(), 1)
  stream.destroy()
  // The service lowers the count after the connection of the stream has ended.
  await waitFor('no open stream', async () => (await open()) === 0)
})

testUnless(test, unbuilt, 'an ambiguous path is refused, and no path leads out of a surface', async () => {
  const { port, folder, cookie } = reader
  const status = async (target: string): Promise<string> => {
    const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`
    return (
      /^HTTP\/1\.1 (\d+)[\s\S]*?"code":"(\w+)"/
        .exec(await reader.raw(head))
        ?.slice(1)
        .join(' ') ?? 'none'
    )
  }
  const tricks = [
    'runtime/../console/session',
    'runtime/./readyz',
    'runtime/%2e%2e/console/session',
    'runtime/.%2E/readyz',
    'runtime/..%2fconsole',
    'runtime/a%2F..%2Fb',
    'runtime/a%5c..%5Cb',
    'runtime//evil.example/x',
    'runtime/a//b',
    'runtime/%2f%2fevil.example',
    'local/..',
    'runtime/a\\..\\b',
    'runtime/readyz#x',
    'console/builds/../../proof',
  ]
  for (const trick of tricks) assert.is(await status(folder + trick), '400 path_invalid', trick)
  for (const target of [
    `http://127.0.0.1:${port}${folder}console/session`,
    `//127.0.0.1:${port}/x`,
    '*',
    `http://evil.example/`,
  ])
    assert.match(await status(target), /^(?:400 path_invalid|none)$/, target)
  const connect = `CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`
  assert.is(await reader.raw(connect), '')
  assert.is((await reader.ask('runtime/api/svc/runs/a%2Fb')).status, 404, 'a single encoded slash is part of a name')
})

testUnless(test, unbuilt, 'a request cannot be hidden in another request', async () => {
  const { port, folder, cookie, origin } = writer
  const hidden = `GET ${folder}local/hidden HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`
  const send = (fields: string, body: string): Promise<string> =>
    writer.raw(
      `POST ${folder}local/api/v1/kbd/import HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nOrigin: ${origin}\r\n${fields}\r\n\r\n${body}`,
    )
  const tricks: readonly (readonly [string, string])[] = [
    ['Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
    ['Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${hidden}`],
    [`Content-Length: 0\r\nContent-Length: ${hidden.length}`, hidden],
    ['Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`],
    ['Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`],
    ['Transfer-Encoding:\tx', hidden],
    ['X: y\nContent-Length: 0', hidden],
    ['Content-Length: +0', hidden],
    ['X-Bare: a\rb', hidden],
    [' Folded: x', hidden],
  ]
  for (const [fields, body] of tricks) {
    const text = await send(fields, body)
    assert.match(text, /^HTTP\/1\.1 400 /, fields)
    assert.is(text.match(/HTTP\/1\.1 \d/g)!.length, 1, `${fields}: one answer`)
  }
  // The body of a refused request is not read as a request.
  const late = await writer.raw(
    `POST ${folder}local/x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://evil.example\r\nContent-Length: ${hidden.length + 1}\r\n\r\n${hidden}`,
  )
  assert.is(late.match(/HTTP\/1\.1 \d/g)!.length, 1)
})

testUnless(test, unbuilt, 'only safe headers of the page and of the service are forwarded', async () => {
  const elsewhere = await startRecorder({
    'set-cookie': 'stolen=1',
    location: 'http://evil.example/',
    'access-control-allow-origin': '*',
    'content-security-policy': 'default-src *',
    'clear-site-data': '"*"',
    'www-authenticate': 'Basic realm="x"',
    refresh: '0;url=http://evil.example',
    etag: '"1"',
  })
  writeFileSync(join(node.folder, 'token'), 'elsewhere-token\n', { mode: 0o600 })
  const shown = await startConsole(node, ['--write', '--url', elsewhere.origin, '--token-file', 'token'])
  const headers = {
    accept: 'text/plain',
    'last-event-id': '7',
    referer: `${shown.origin}/x`,
    'x-forwarded-for': '192.0.2.1',
    forwarded: 'for=192.0.2.1',
    authorization: 'Bearer of-the-page',
    'x-api-key': 'svc_of-the-page',
    te: 'trailers',
    connection: 'x-secret',
    'x-secret': '1',
    'proxy-authorization': 'Basic eA==',
    'sec-fetch-site': 'same-origin',
  }
  const answer = await shown.ask('runtime/a?b=c%20d', { method: 'PUT', headers, body: { x: 'é' } })
  const [asked] = elsewhere.requests
  assert.equal([asked!.method, asked!.url, asked!.body], ['PUT', '/a?b=c%20d', '{"x":"é"}'])
  assert.equal(asked!.headers, {
    accept: 'text/plain',
    authorization: 'Bearer elsewhere-token',
    connection: 'close',
    'content-length': '10',
    'content-type': 'application/json',
    host: new URL(elsewhere.origin).host,
    'last-event-id': '7',
  })
  assert.is(answer.status, 200)
  assert.is(answer.headers.etag, '"1"')
  assert.is(
    answer.headers['content-type'],
    'application/octet-stream',
    'an HTML document of the service is not shown as a document',
  )
  assert.is(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox")
  const blockedHeaders = [
    'set-cookie',
    'location',
    'access-control-allow-origin',
    'clear-site-data',
    'www-authenticate',
    'refresh',
  ]
  assert.equal(
    blockedHeaders.filter((name) => name in answer.headers),
    [],
  )
  const stream = await shown.open('runtime/stream')
  await once(stream, 'data')
  stream.destroy()
  await elsewhere.streamEnded
  await shown.stop()
  await elsewhere.close()
})

testUnless(test, unbuilt, 'a body above 8 MiB is refused, with or without an announced length', async () => {
  const { port, folder, cookie, origin } = writer
  const head = `POST ${folder}local/api/v1/kbd/import HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nOrigin: ${origin}\r\n`
  assert.match(await writer.raw(`${head}Content-Length: 8388609\r\n\r\n`), /^HTTP\/1\.1 413 [\s\S]*"payload_too_large"/)
  const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(9)}0\r\n\r\n`
  assert.match(await writer.raw(chunked, 20_000), /^HTTP\/1\.1 413 /)
  const taken = await writer.ask('local/api/v1/kbd/content/x', { method: 'PUT', body: 'x'.repeat(8 * 1024 * 1024) })
  assert.is.not(taken.json().error?.code, 'payload_too_large', 'a body of exactly 8 MiB is forwarded')
})

testUnless(test, unbuilt, 'a client that sends too much before it reads still gets the answer', async () => {
  const { port, folder, cookie, origin } = writer
  const socket = connect(port, '127.0.0.1')
  const gone = closed(socket)
  let text = ''
  socket.write(
    `POST ${folder}local/api/v1/kbd/import HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nOrigin: ${origin}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  // 10 MiB in 160 pieces. The last pieces are sent after the console has refused.
  for (let sent = 0; sent < 160; sent++)
    await new Promise<void>((resolve) => socket.write(chunk, () => setTimeout(resolve, 1)))
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  await gone
  assert.match(text, /^HTTP\/1\.1 413 [\s\S]*"payload_too_large"/)
})

testUnless(
  test,
  unbuilt,
  'while the service is away requests get service_away, and they succeed when it is back',
  async () => {
    const ownNode = await createConsoleNode()
    const shown = await startConsole(ownNode)
    for (const path of ['runtime/readyz', 'local/ready']) {
      const answer = await shown.ask(path)
      refused(answer, 502, 'service_away')
      assert.match(answer.json().error!.hint!, /make run/)
    }
    await ownNode.start()
    for (const path of ['runtime/api/svc/runs', 'local/ready']) assert.is((await shown.ask(path)).status, 200)
    const stream = await shown.open('runtime/api/live')
    const broke = closed(stream.resume())
    await ownNode.stop()
    await broke
    for (const path of ['runtime/readyz', 'local/ready']) refused(await shown.ask(path), 502, 'service_away')
    assert.is((await shown.ask('console/session')).status, 200)
    await ownNode.start()
    for (const path of ['runtime/api/svc/runs', 'local/ready']) assert.is((await shown.ask(path)).status, 200)
    await ownNode.stop()
    await shown.stop()
  },
)

test.run()
