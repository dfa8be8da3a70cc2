/** Tests pipelined requests of node:http whose client disconnects before their turn. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { json, type StreamSink } from '../../../core/http/reply.ts'
import { feature as plugin } from '../../../plugins/transport/node-http/feature.ts'
import { eventually, get } from './cases/common.ts'
import { type Rig, startRig, type TestRoute } from './rig.ts'

const test = suite('node:http, clients that disconnect')
let rig: Rig | undefined
const start = async (routes: readonly TestRoute[]): Promise<Rig> => {
  rig = await startRig([plugin], routes)
  return rig
}
test.after.each(async () => {
  await rig?.stop()
  rig = undefined
})

test('every stream is closed when its connection ends, also streams that wait for their turn', async () => {
  const sinks: StreamSink[] = []
  let closes = 0
  const { dial } = await start([
    {
      path: '/stream',
      handler: () => ({
        status: 200,
        stream: (sink) => {
          sinks.push(sink)
          sink.onClose(() => closes++)
        },
      }),
    },
  ])
  const { socket } = dial(get('/stream').repeat(32))
  assert.ok(await eventually(() => sinks.length === 32))
  socket.destroy()
  await eventually(() => closes === 32)
  assert.is(closes, 32)
  for (const sink of sinks) assert.is(sink.write(Buffer.from('x')), false)
  for (const sink of sinks) sink.end()
  assert.is(closes, 32)
})

test('the signal of a request that waits for its turn is aborted when the connection ends', async () => {
  const signals: AbortSignal[] = []
  const { dial } = await start([
    {
      path: '/wait',
      handler: (request) => {
        signals.push(request.signal)
        return new Promise(() => undefined)
      },
    },
  ])
  const { socket } = dial(get('/wait').repeat(3))
  assert.ok(await eventually(() => signals.length === 3))
  socket.destroy()
  await eventually(() => signals.every(({ aborted }) => aborted))
  assert.equal(
    signals.map(({ aborted }) => aborted),
    [true, true, true],
  )
})

test('answers that wait behind a stream count towards the limit of waiting requests', async () => {
  let answered = 0
  const { dial } = await start([
    { path: '/stream', handler: () => ({ status: 200, stream: () => undefined }) },
    {
      path: '/now',
      handler: () => {
        answered++
        return json(200, null)
      },
    },
  ])
  await dial(get('/stream') + get('/now').repeat(5_000)).closed()
  assert.is(answered, 128)
})

test.run()
