/**
 * Clients that do not read, abandoned pipelined streams, floods of silent connections: on the built program, with a
 * stranger measured beside them.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../scripts/until.ts'
import { get, later } from '../e2e/transport/cases/common.ts'
import { countOf } from '../support/count.ts'
import { attacksOf, beside, servers, startTarget, type Target } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: readers')
const it = attacksOf(test)
const MIB = 1024 * 1024
/**
 * The most processor time in ms while many connections are opened at once, because earlier connections are accepted
 * before the stranger's.
 */
const CONNECTIONS_MS = 400

/**
 * The rounds of five events of 32 KB for each of 20 readers: 320 MB in all in `make test`, far more than the bound of
 * memory.
 */
const ROUNDS = countOf({ quick: 100, deep: 150 })

/** A GET request with the token of a caller. */
const as = (target: Target, user: string, path: string, scopes?: string[]): string =>
  get(path, `Authorization: ${target.bearer(user, scopes).authorization}\r\n`)

/** Whether the target has exactly `count` streams of live events. */
async function hasStreams(target: Target, count: number): Promise<boolean> {
  const metrics = await (await target.ask('/metrics')).text()
  return metrics.includes(`\nsvc_sse_connections{stream="live"} ${count}\n`)
}

for (const server of servers) {
  it(`${server}: readers that do not read cost a bounded amount of memory, and get a lag notice`, async () => {
    const target = await startTarget(server, { SVC_REALTIME__TOPICS: 'noise' })
    const readers = Array.from({ length: 20 }, () => {
      const { socket } = target.dial()
      socket.removeAllListeners('data')
      socket.pause()
      socket.write(as(target, 'mallory', '/api/live/noise'))
      return socket
    })
    await until('all streams', () => hasStreams(target, readers.length), 60_000)
    const data = 'x'.repeat(32_000)
    const writer = { ...target.bearer('mallory', ['live:publish']), 'content-type': 'application/json' }
    const { report, grownBytes } = await beside(target, async () => {
      for (let i = 0; i < ROUNDS; i++) {
        const publish = async (n: number): Promise<void> => {
          const body = JSON.stringify({ identifier: `${i}-${n}`, operation: 'update', data })
          const response = await target.ask('/api/live/noise', { method: 'POST', headers: writer, body })
          const text = await response.text()
          assert.ok(response.ok, `${response.status} ${text}`)
        }
        await Promise.all(Array.from({ length: 5 }, (_, n) => publish(n)))
      }
    })
    assertCalm(report)
    // 20 readers of 1 MiB each, and what the process needs for the writer.
    assert.ok(grownBytes < 200 * MIB, `${Math.round(grownBytes / MIB)} MiB`)
    let text = ''
    readers[0]!.on('data', (chunk) => (text += chunk.toString('latin1')))
    readers[0]!.resume()
    // uWebSockets.js closes the connection after 10 s, so its reader may get no notice.
    if (server === 'node') await until('the lag notice', async () => text.includes('lagged'), 60_000)
  })

  it(`${server}: abandoned pipelined streams free their places`, async () => {
    const target = await startTarget(server, { SVC_REALTIME__TOPICS: 'noise' })
    const { report } = await beside(target, async ({ answers }) => {
      for (let round = 0; round < 10; round++) {
        const { socket } = target.dial(as(target, 'mallory', '/api/live').repeat(32))
        await later(60)
        socket.destroy()
      }
      await until('the end of all streams', () => hasStreams(target, 0), 60_000)
      await until('enough answers to the stranger', async () => answers() >= 40, 60_000)
    })
    assertCalm(report)
    const [first, ...others] = Array.from({ length: 32 }, () => target.dial(as(target, 'mallory', '/api/live')))
    for (const client of [first!, ...others]) {
      assert.match(await client.until((text) => text.includes('\r\n\r\n')), /^HTTP\/1\.1 200 /)
    }
    assert.ok(await hasStreams(target, 32))
  })

  it(`${server}: many garbage, broken and silent connections disturb no other caller, and are counted`, async () => {
    const target = await startTarget(server, { SVC_REALTIME__TOPICS: 'noise' })
    const { report, grownBytes } = await beside(target, async () => {
      // Not all at once, because the operating system limits the queue of connections to accept.
      const idle: { readonly socket: { destroy(): unknown } }[] = []
      for (let i = 0; i < 10; i++) {
        for (let n = 0; n < 10; n++) idle.push(target.dial(), target.dial('GET /health HTTP/1.1\r\nHost: a\r\nX'))
        await later(20)
      }
      for (let i = 0; i < 20; i++) {
        const clients = Array.from({ length: 20 }, (_, n) =>
          target.dial(
            [
              'GARBAGE\r\n\r\n',
              get('/health', 'Host: b\r\n'),
              get('/health', 'Expect: foo\r\n'),
              get('/health', `X: ${'a'.repeat(20_000)}\r\n`),
              get('/health').repeat(20),
            ][n % 5],
          ),
        )
        await later(20)
        for (const { socket } of clients) socket.destroy()
      }
      for (const { socket } of idle) socket.destroy()
    })
    assertCalm(report, CONNECTIONS_MS)
    assert.ok(grownBytes < 150 * MIB, `${Math.round(grownBytes / MIB)} MiB`)
    const metrics = await (await target.ask('/metrics')).text()
    const refused = [...metrics.matchAll(/^svc_http_refused_total\{status="(\d+)"\} (\d+)$/gm)]
    assert.ok(
      refused.some(([, status, count]) => status === '400' && Number(count) >= 50),
      JSON.stringify(refused),
    )
    const lines = target.child.out.match(/Requests were refused before they were requests/g) ?? []
    assert.ok(lines.length >= 1 && lines.length <= 4, `${lines.length} lines`)
  })

  it(`${server}: a stop does not wait for silent, incomplete or unread connections`, async () => {
    const target = await startTarget(server, { SVC_REALTIME__TOPICS: 'noise' })
    const silent = Array.from({ length: 50 }, () => target.dial())
    const halves = Array.from({ length: 50 }, () => target.dial('POST /api/live/noise HTTP/1.1\r\nHost'))
    const unread = Array.from({ length: 20 }, () => {
      const client = target.dial()
      client.socket.pause()
      client.socket.write(as(target, 'mallory', '/api/live'))
      return client
    })
    assert.is(silent.length + halves.length + unread.length, 120)
    await until('all streams', () => hasStreams(target, unread.length), 60_000)
    const begun = performance.now()
    target.child.kill('SIGTERM')
    const { code } = await target.child.exited
    const tookMs = performance.now() - begun
    await target.stop()
    assert.is(code, 0)
    assert.ok(tookMs < 5_000, `${Math.round(tookMs)} ms`)
  })
}

test.run()
