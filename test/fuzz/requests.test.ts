/**
 * Request targets and fields of any bytes, on each server: the server gives at most one answer, and continues to serve.
 */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { json } from '../../core/http/reply.ts'
import { feature as nodeHttp } from '../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../plugins/transport/uws/feature.ts'
import { eventually } from '../e2e/transport/cases/common.ts'
import { dial, responses, startRig } from '../e2e/transport/rig.ts'
import { runs } from './runs.ts'

const test = suite('fuzz: requests')
const token = fc.string({
  unit: fc.constantFrom(...'abAB09-_:;,=/?#%[]@\\ \t\x00\x7f\xe9\xff'.split('')),
  maxLength: 20,
})
const name = fc.oneof(
  token,
  fc.constantFrom(
    'Host',
    'host',
    'Content-Length',
    'Transfer-Encoding',
    'Expect',
    'Connection',
    'X',
    'Content-Type',
    '',
  ),
)
const value = fc.oneof(
  token,
  fc.constantFrom('a', '0', '5', '+5', '5, 5', 'chunked', 'close', '100-continue', 'foo', '[::1]:80'),
)
const field = fc.tuple(name, fc.constantFrom(':', ': ', ' : ', ''), value).map((parts) => parts.join(''))
const target = fc.oneof(
  token,
  token.map((text) => `/${text}`),
  token.map((text) => `http://${text}`),
  fc.constant('/p'),
)
const head = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'get', 'HEAD', 'X'),
    target,
    fc.constantFrom('1.1', '1.0', '2.0', '1'),
    fc.array(field, { maxLength: 5 }),
  )
  .map(
    ([method, path, version, fields]) =>
      `${[`${method} ${path} HTTP/${version}`, 'Host: a', ...fields, 'Connection: close'].join('\r\n')}\r\n\r\n`,
  )

/** uWebSockets.js hides all fields after one without a name (docs/transports.md), `Connection: close` included. */
const shown = head.filter((bytes) => !bytes.includes('\r\n:'))

for (const [server, transports, settings, heads] of [
  ['node:http', [nodeHttp], {}, head],
  ['uWebSockets.js', [nodeHttp, uws], { transport: 'uws' }, shown],
] as const) {
  test(`${server}: bytes after a request that ends its connection are never served`, async () => {
    let served = 0
    const handler = (): ReturnType<typeof json> => json(200, 'p')
    const inner = {
      path: '/inner',
      handler: () => {
        served++
        return json(200, 'inner')
      },
    }
    const rig = await startRig(
      transports,
      [{ path: '/p', handler }, { path: '/p', method: 'POST', handler }, inner],
      settings,
    )
    try {
      await fc.assert(
        fc.asyncProperty(heads, async (bytes) => {
          served = 0
          const client = dial(rig.port, Buffer.from(`${bytes}GET /inner HTTP/1.1\r\nHost: a\r\n\r\n`, 'latin1'))
          // If the head is incomplete or the server waits for a body, the client ends the connection.
          await eventually(() => client.socket.readableEnded || client.socket.destroyed, 40)
          client.socket.destroy()
          assert.ok(responses(client.text()).filter(({ status }) => status < 400 && status !== 100).length <= 1, bytes)
          assert.is(served, 0, bytes)
        }),
        runs(),
      )
      const alive = dial(rig.port, 'GET /p HTTP/1.1\r\nHost: a\r\n\r\n')
      assert.match(await alive.until((text) => text.includes('"p"')), /^HTTP\/1\.1 200 /)
      alive.socket.destroy()
      assert.not.ok(rig.records.some(({ level }) => level === 'error'))
    } finally {
      await rig.stop()
    }
  })
}

test.run()
