/** Tests the bytes, the backpressure and the end of streams. */
import * as assert from 'uvu/assert'
import type { StreamSink } from '../../../../core/http/reply.ts'
import { responses } from '../rig.ts'
import { type AddCases, eventually, get, later, whole } from './common.ts'

export const addStreamCases: AddCases = (test, start) => {
  test('a stream sends each write at once, and ends', async () => {
    let open: StreamSink | undefined
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          stream: (sink) => {
            open = sink
            sink.onClose(() => closes++)
            sink.write(Buffer.from('data: 1\n\n'))
          },
        }),
      },
    ])
    const client = dial(get('/stream'))
    await client.until((text) => text.includes('data: 1\n\n'))
    assert.ok(open!.write(Buffer.from('data: 2\n\n')))
    await client.until((text) => text.includes('data: 2\n\n'))
    open!.write(new Uint8Array(0))
    open!.end()
    open!.end()
    assert.is(open!.write(Buffer.from('data: 3\n\n')), false)
    const [response] = responses(await client.until((text) => text.includes('\r\n0\r\n\r\n')))
    assert.is(response!.headers['transfer-encoding'], 'chunked')
    assert.is(response!.body, 'data: 1\n\ndata: 2\n\n')
    assert.is(closes, 1)
    client.socket.write(get('/health'))
    await client.until((text) => text.endsWith('{"status":"ok"}'))
  })

  test('onClose of a stream runs once when its client disconnects', async () => {
    let open: StreamSink | undefined
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: async () => ({
          status: 200,
          stream: (sink) => {
            open = sink
            sink.onClose(() => closes++)
            sink.write(Buffer.from('x'))
          },
        }),
      },
    ])
    const client = dial(get('/stream'))
    await client.until((text) => text.includes('x\r\n') || text.endsWith('x'))
    client.socket.destroy()
    for (let i = 0; i < 3_000 && closes === 0; i++) await later(10)
    assert.is(open!.write(Buffer.from('y')), false)
    open!.end()
    let late = 0
    open!.onClose(() => late++)
    assert.equal([closes, late], [1, 1])
  })

  /** Fills a stream to a client that reads nothing, until the socket buffers and the sink are full. */
  const fillStuckStream = async (): Promise<{
    sink: StreamSink
    closes: () => number
    rest: () => Promise<string>
  }> => {
    let open: StreamSink | undefined
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            sink.onClose(() => closes++)
            const fill = (): void => {
              while (sink.write(Buffer.alloc(300_000, 'abcdefghij')));
            }
            sink.onDrain(fill)
            fill()
            open = sink
          },
        }),
      },
    ])
    const { socket } = dial()
    socket.removeAllListeners('data')
    socket.pause()
    socket.write(get('/stream'))
    for (let i = 0; i < 3_000 && open === undefined; i++) await later(10)
    await later(300)
    const rest = (): Promise<string> =>
      new Promise((resolve) => {
        const received: Buffer[] = []
        const finish = (): void => resolve(Buffer.concat(received).toString('latin1'))
        socket.on('data', (data) => received.push(data))
        socket.once('close', finish)
        socket.resume()
        setTimeout(finish, 2_000)
      })
    return { sink: open!, closes: () => closes, rest }
  }

  test('an aborted stream drops its buffered bytes and its connection', async () => {
    const { sink, closes, rest } = await fillStuckStream()
    sink.abort()
    sink.abort()
    for (let i = 0; i < 3_000 && closes() === 0; i++) await later(10)
    assert.is(closes(), 1)
    assert.is(sink.write(Buffer.from('more')), false)
    sink.end()
    assert.not((await rest()).endsWith('\r\n0\r\n\r\n'), 'buffered bytes are dropped')
    assert.is(closes(), 1)
  })

  test('an ended stream is closed after a time limit if its client reads nothing', async () => {
    const { sink, closes, rest } = await fillStuckStream()
    sink.end()
    // Both servers wait 10 s for such a client. The timer has a resolution of a few seconds.
    await later(16_000)
    assert.is(closes(), 1)
    assert.not((await rest()).endsWith('\r\n0\r\n\r\n'), 'buffered bytes are dropped')
  })

  test('a stream makes a fast writer wait, and resumes when its client has read the backlog', async () => {
    const chunk = Buffer.alloc(300_000, 'abcdefghij')
    let sent = 0
    let most = 0
    let drains = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            const fill = (): void => {
              while (sent < 100) {
                sent++
                const more = sink.write(chunk)
                most = Math.max(most, sink.buffered)
                if (!more) return
              }
              sink.end()
            }
            sink.onDrain(() => {
              drains++
              fill()
            })
            fill()
          },
        }),
      },
    ])
    const client = dial()
    client.socket.removeAllListeners('data')
    client.socket.pause()
    client.socket.write(get('/stream'))
    for (let i = 0; i < 3_000 && sent === 0; i++) await later(10)
    // The operating system takes what fits into the buffers of both sockets, at its own pace.
    for (let before = -1; before !== sent; await later(50)) before = sent
    assert.ok(sent < 100, 'the writer has to wait')
    const received: Buffer[] = []
    await new Promise<void>((resolve, reject) => {
      client.socket.on('data', (data) => {
        received.push(data)
        if (data.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n') resolve()
      })
      client.socket.on('close', () => reject(new Error('The stream was cut off.')))
      client.socket.resume()
    })
    const [response] = responses(Buffer.concat(received).toString('latin1'))
    assert.is(response!.body.length, 100 * chunk.length)
    assert.ok(Buffer.from(response!.body.slice(0, 300_000)).equals(chunk))
    assert.is(response!.body.slice(-10), 'abcdefghij')
    assert.ok(drains > 0)
    assert.ok(most < 2_000_000, String(most))
  })

  test('many small writes pause while the client reads nothing, and all arrive when it reads', async () => {
    // These writes exceed the socket buffers by far. Each write runs in its own turn of the event loop, like an event.
    const most = 6_000
    let sent = 0
    let halts = 0
    let open: StreamSink | undefined
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            open = sink
            const next = (): void => {
              if (sent === most) sink.end()
              else if (sink.write(Buffer.alloc(8_192, String(sent++ % 10)))) setImmediate(next)
              else halts++
            }
            sink.onDrain(next)
            next()
          },
        }),
      },
    ])
    const { socket } = dial()
    socket.removeAllListeners('data')
    socket.pause()
    socket.write(get('/stream'))
    assert.ok(await eventually(() => halts > 0), `no backpressure after ${sent} writes`)
    assert.ok(sent < most, 'the writer has to wait')
    assert.ok(open!.buffered < 1_100_000, String(open!.buffered))
    const received: Buffer[] = []
    let tail = ''
    socket.on('data', (data) => {
      received.push(data)
      tail = (tail + data.toString('latin1')).slice(-7)
    })
    socket.resume()
    assert.ok(await eventually(() => tail === '\r\n0\r\n\r\n'))
    const [response] = responses(Buffer.concat(received).toString('latin1'))
    assert.is(response!.body.length, most * 8_192)
    for (let i = 0; i < most; i++) assert.is(response!.body[i * 8_192], String(i % 10))
  })

  test('onClose of a stream runs if its client disconnects before the stream opens', async () => {
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: async () => {
          await later(80)
          return { status: 200, stream: (sink) => sink.onClose(() => closes++) }
        },
      },
    ])
    const client = dial(get('/stream'))
    await later(30)
    client.socket.destroy()
    for (let i = 0; i < 3_000 && closes === 0; i++) await later(10)
    assert.is(closes, 1)
  })

  test('onClose of a stream runs if the stream fails to open', async () => {
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            sink.onClose(() => closes++)
            throw new Error('no')
          },
        }),
      },
      {
        path: '/split',
        handler: () => ({
          status: 200,
          headers: { 'x-a': 'b\r\nc: d' },
          stream: (sink) => sink.onClose(() => closes++),
        }),
      },
    ])
    await dial(get('/stream')).closed()
    assert.match(await dial(get('/split')).until(whole(1)), /^HTTP\/1.1 500 /)
    for (let i = 0; i < 3_000 && closes < 2; i++) await later(10)
    assert.is(closes, 2)
  })
}
