/** Tests the time limits for slow and silent clients. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { type Rig, responses, startRig, type TestRoute } from './rig.ts'

const echo: TestRoute = {
  method: 'POST',
  path: '/echo',
  body: { type: 'application/json' },
  handler: async (request) => ({ status: 200, body: await request.body() }),
}
const slowBody = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhe'

const test = suite('time limits')
let rig: Rig | undefined
test.after.each(async () => {
  await rig?.stop()
  rig = undefined
})

test('node:http answers 408 if a request head is not complete in time', async () => {
  rig = await startRig([nodeHttp], [], { header_timeout_ms: 300 })
  const dripping = rig.dial('GET /health HTTP/1.1\r\nHo')
  const drip = setInterval(() => dripping.socket.write('s'), 50)
  const [response] = responses(await dripping.closed())
  clearInterval(drip)
  assert.is(response!.status, 408)
  assert.is(JSON.parse(response!.body).error.code, 'request_timeout')
})

test('node:http closes a connection without requests', async () => {
  rig = await startRig([nodeHttp], [], { header_timeout_ms: 300, idle_timeout_ms: 300 })
  const silent = rig.dial()
  const kept = rig.dial('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  await Promise.all([silent.closed(), kept.closed()])
  assert.is(responses(kept.text())[0]!.status, 200)
})

for (const [name, transports, settings] of [
  ['node:http', [nodeHttp], { header_timeout_ms: 200 }],
  ['uWebSockets.js', [nodeHttp, uws], { transport: 'uws' }],
] as const) {
  test(`${name} answers 408 if a body is not complete in time`, async () => {
    rig = await startRig(transports, [echo], { ...settings, body_timeout_ms: 300 })
    const [response] = responses(await rig.dial(slowBody).closed())
    assert.is(response!.status, 408)
    assert.is(JSON.parse(response!.body).error.code, 'request_timeout')
  })
}

// The time limits of the library are fixed, so this test takes about 10 s.
test('uWebSockets.js closes slow connections after about 10 s, but no idle stream', async () => {
  rig = await startRig(
    [nodeHttp, uws],
    [
      {
        path: '/stream',
        handler: () => ({ status: 200, stream: (sink) => void sink.write(Buffer.from('one')) }),
      },
    ],
    { transport: 'uws' },
  )
  const begun = Date.now()
  const silent = rig.dial()
  const kept = rig.dial('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  const dripping = rig.dial('GET /health HTTP/1.1\r\nHost: a\r\nX')
  const stream = rig.dial('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n')
  const drip = setInterval(() => dripping.socket.write('s'), 500)
  try {
    await Promise.all([silent, kept, dripping].map((client) => client.closed(60_000)))
  } finally {
    clearInterval(drip)
  }
  assert.ok(Date.now() - begun > 4_000)
  assert.match(stream.text(), /one/)
  assert.not.ok(stream.socket.destroyed || stream.socket.readableEnded)
})

test.run()
