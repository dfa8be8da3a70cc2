import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { StreamSink } from '../../../core/http/reply.ts'
import { feature as plugin } from '../../../plugins/transport/node-http/feature.ts'
import { dial, startRig } from './rig.ts'

test('node:http: the time limit of an ended stream does not apply to the next stream on its connection', async () => {
  const sinks: StreamSink[] = []
  const route = {
    path: '/stream',
    handler: () => ({ status: 200, stream: (sink: StreamSink) => void sinks.push(sink) }),
  }
  const rig = await startRig([plugin], [route], {})
  try {
    const get = 'GET /stream HTTP/1.1\r\nHost: a\r\n\r\n'
    const client = dial(rig.port, get + get)
    for (let i = 0; i < 3_000 && sinks.length < 2; i++) await new Promise((done) => setTimeout(done, 10))
    const [first, second] = sinks
    // These writes exceed the socket buffers, so the end of the stream has to wait for the client.
    client.socket.pause()
    for (let i = 0; i < 40; i++) first!.write(Buffer.alloc(300_000, 'x'))
    first!.end()
    await new Promise((done) => setTimeout(done, 200))
    client.socket.resume()
    await client.until((text) => text.includes('x\r\n0\r\n\r\n'), 30_000)
    // This is longer than the time limit of an ended stream.
    await new Promise((done) => setTimeout(done, 12_000))
    second!.write(Buffer.from('two'))
    second!.end()
    assert.match(await client.until((text) => text.includes('two\r\n0\r\n\r\n')), /two/)
  } finally {
    await rig.stop()
  }
})

test.run()
