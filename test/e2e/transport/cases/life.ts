/** Cases of the start and the stop of a server. */
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../../core/declare/errors.ts'
import { json, type Reply, type StreamSink } from '../../../../core/http/reply.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { dial, responses } from '../rig.ts'
import { type AddCases, eventually, get, later, whole } from './common.ts'

/** A grace period that is shorter than the idle timeout, which would end connections too. */
const GRACE_MS = 8_000

/** A delay in which a busy machine answers a few requests. */
const DELAY_MS = 5_000

export const addLifeCases: AddCases = (test, start) => {
  test('each reason why listening fails has a separate hint', async () => {
    const { port } = await start()
    const cases: readonly [more: Record<string, unknown>, code: string, hint: RegExp][] = [
      [{ port }, 'EADDRINUSE', /Another process/],
      [{ host: '192.0.2.1', port: 0 }, 'EADDRNOTAVAIL', /does not have the address/],
      [{ host: 'no-such-host.invalid', port: 0 }, '(?:ENOTFOUND|EAI_AGAIN)', /resolve/],
    ]
    for (const [more, code, hint] of cases) {
      await start([], more).then(
        () => assert.unreachable(JSON.stringify(more)),
        (error: unknown) => {
          assert.ok(isSvcError(error, 'ERR_LISTEN_FAILED'), String(error))
          assert.match(error.message, new RegExp(code))
          assert.match(error.hint!, hint)
        },
      )
    }
  })

  test('a stop lets running requests finish, and accepts no new ones', async () => {
    let answer: ((reply: Reply) => void) | undefined
    const handler = (): Promise<Reply> => new Promise((resolve) => (answer = resolve))
    const { dial: open, kernel, port } = await start([{ path: '/slow', handler }], { shutdown_grace_ms: GRACE_MS })
    const kept = open(get('/health'))
    await kept.until(whole(1))
    const slow = open(get('/slow'))
    assert.ok(await eventually(() => answer !== undefined))
    const begun = performance.now()
    const stopped = kernel.stop()
    // A connection of the first moment is answered still, once the listener is closed.
    await waitFor('new connections are not answered', async () => (await dial(port, get('/health')).closed()) === '')
    answer!(json(200, 'done'))
    const [response] = responses(await slow.closed())
    assert.is(response!.body, '"done"')
    assert.is(response!.headers['connection'], 'close')
    await kept.closed()
    await stopped
    assert.ok(performance.now() - begun < GRACE_MS, 'within the grace')
  })

  test('a stop does not wait for connections whose streams have ended', async () => {
    let open: StreamSink | undefined
    const handler = (): Reply => ({
      status: 200,
      stream: (sink) => {
        open = sink
        sink.write(Buffer.from('one'))
      },
    })
    const { dial, kernel } = await start([{ path: '/stream', handler }], { shutdown_grace_ms: GRACE_MS })
    const client = dial(get('/stream'))
    await client.until((text) => text.includes('one'))
    const begun = performance.now()
    const stopped = kernel.stop()
    await later(50)
    open!.write(Buffer.from('two'))
    open!.end()
    assert.match(await client.closed(), /two\r\n0\r\n\r\n$/)
    await stopped
    assert.ok(performance.now() - begun < GRACE_MS, 'within the grace')
  })

  test('a stop does not wait longer than the grace', async () => {
    let entered = false
    const handler = (): Promise<Reply> => {
      entered = true
      return new Promise(() => undefined)
    }
    const { dial, kernel } = await start([{ path: '/never', handler }], { shutdown_grace_ms: 200 })
    const client = dial(get('/never'))
    assert.ok(await eventually(() => entered))
    const begun = performance.now()
    await kernel.stop()
    await client.closed()
    assert.ok(performance.now() - begun < GRACE_MS)
  })

  test('a stop does not wait for idle or silent connections, or incomplete heads', async () => {
    const { dial, kernel } = await start([], { shutdown_grace_ms: GRACE_MS })
    const kept = dial(get('/health'))
    await kept.until(whole(1))
    kept.socket.write('GET /health HT')
    const idle = dial(get('/health'))
    await idle.until(whole(1))
    const waiting = [dial(), dial('GET /health HT'), kept, idle]
    await later(50)
    const begun = performance.now()
    await kernel.stop()
    assert.ok(performance.now() - begun < GRACE_MS, 'within the grace')
    await Promise.all(waiting.map((client) => client.closed()))
  })

  test('a stop waits only shortly for a client that does not read', async () => {
    const sinks: StreamSink[] = []
    const { dial, kernel } = await start(
      [
        {
          path: '/stream',
          handler: () => ({
            status: 200,
            stream: (sink) => {
              sinks.push(sink)
              while (sink.write(Buffer.alloc(300_000)));
            },
          }),
        },
        { path: '/large', handler: () => ({ status: 200, body: Buffer.alloc(30_000_000) }) },
      ],
      { shutdown_grace_ms: GRACE_MS },
    )
    for (const path of ['/stream', '/large']) {
      const { socket } = dial(get(path))
      socket.removeAllListeners('data')
      socket.pause()
    }
    assert.ok(await eventually(() => sinks.length === 1))
    await later(300)
    const begun = performance.now()
    const stopped = kernel.stop()
    await later(20)
    sinks[0]!.end()
    await stopped
    assert.ok(performance.now() - begun < GRACE_MS, 'within the grace')
  })

  test('/readyz shows a stop at once, while the listener stays open for the configured delay', async () => {
    const { dial, kernel } = await start([], { drain_delay_ms: DELAY_MS })
    const kept = dial(get('/readyz'))
    assert.is(responses(await kept.until(whole(1)))[0]!.status, 200)
    const begun = performance.now()
    const stopped = kernel.stop()
    const [response] = responses(await dial(get('/readyz')).until(whole(1)))
    assert.is(response!.status, 503)
    assert.is(JSON.parse(response!.body).status, 'unavailable')
    const [served] = responses(await dial(get('/health')).closed())
    assert.equal([served!.status, served!.headers['connection']], [200, 'close'])
    kept.socket.write(get('/readyz'))
    const last = responses(await kept.closed())[1]!
    assert.equal([last.status, last.headers['connection']], [503, 'close'])
    assert.ok(performance.now() - begun < DELAY_MS, 'the listener is still open')
    await stopped
    const took = performance.now() - begun
    assert.ok(took >= DELAY_MS - 10 && took < DELAY_MS + GRACE_MS, `${took} ms`)
  })

  test('a stop answers what waits in the queue of the listener and what comes on idle connections, then closes', async () => {
    const { dial, kernel } = await start([], { shutdown_grace_ms: GRACE_MS })
    const kept = dial(get('/health'))
    await kept.until(whole(1))
    const clients = Array.from({ length: 20 }, () => dial(get('/health')))
    // Node accepts one connection in a turn of the event loop, so most of these wait when the stop begins.
    await Promise.all(clients.map(({ socket }) => once(socket, 'connect')))
    const begun = performance.now()
    const stopped = kernel.stop()
    kept.socket.write(get('/health'))
    for (const client of [kept, ...clients]) {
      const last = responses(await client.closed()).at(-1)
      assert.equal([last?.status, last?.headers['connection']], [200, 'close'])
    }
    assert.is(responses(kept.text()).length, 2)
    await stopped
    assert.ok(performance.now() - begun < GRACE_MS, 'within the grace')
  })
}
