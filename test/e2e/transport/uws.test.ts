import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { later } from './cases/common.ts'
import { addHttpCases } from './http-cases.ts'
import { startRig } from './rig.ts'
import { addCases } from './suite.ts'

const test = suite('uWebSockets.js')
const settings = { transport: 'uws' }
addCases(test, [nodeHttp, uws], settings, { chunked: false, patient: false })
addHttpCases(test, [nodeHttp, uws], settings, {
  refuses: (input) =>
    // Other versions, empty lines before a request, and targets that are not in origin form.
    !/^\S+ \/\S* HTTP\/1\.1\r\n/.test(input) ||
    // Chunked bodies (411) and Upgrade requests.
    /\r\n(?:transfer-encoding|upgrade):/i.test(input),
  // The library treats a field with an empty name as the end of the head and does not report the field.
  takes: ['f-empty-name'],
})

test('a request line in two pieces is refused only if it is split after the method or within the version', async () => {
  const rig = await startRig([nodeHttp, uws], [], settings)
  try {
    const request = 'GET /health HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n'
    const version = request.indexOf(' HTTP')
    const split = [4, ...Array.from({ length: 10 }, (_, index) => version + 1 + index)]
    const isRefused = async (at: number, pauseMs: number): Promise<boolean> => {
      const client = rig.dial(request.slice(0, at))
      await later(pauseMs)
      client.socket.write(request.slice(at))
      const text = await client.until((text) => text.includes('\r\n\r\n'))
      client.socket.destroy()
      if (!text.startsWith('HTTP/1.1 505 ')) assert.match(text, /^HTTP\/1\.1 200 /)
      return text.startsWith('HTTP/1.1 505 ')
    }
    const refused: number[] = []
    for (let at = 1; at < request.length; at++) {
      // On a busy machine both pieces may arrive together in spite of the pause; then a longer one shows the refusal.
      for (const pauseMs of split.includes(at) ? [10, 100, 500] : [10]) {
        if (!(await isRefused(at, pauseMs))) continue
        refused.push(at)
        break
      }
    }
    assert.equal(refused, split)
  } finally {
    await rig.stop()
  }
})

test.run()
