/** A body with uWebSockets.js, for any chunks and any time of reading. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LARGE_BODY_BYTES } from '../../../plugins/transport/large-body.ts'
import type { UwsResponse } from '../../../plugins/transport/uws/addon.ts'
import { Body } from '../../../plugins/transport/uws/body.ts'

const test = suite('uws: body')

const LIMIT = 1_048_576

/**
 * A response whose body the test sends. The memory of a chunk is overwritten after the call, as the library reuses it.
 */
function arriving() {
  let handler: (chunk: ArrayBuffer, last: boolean) => void = () => undefined
  const res = {
    onData: (given: typeof handler) => {
      handler = given
      return res
    },
  } as unknown as UwsResponse
  return {
    res,
    send(bytes: Uint8Array, last: boolean): void {
      const chunk = new Uint8Array(bytes)
      handler(chunk.buffer, last)
      chunk.fill(255)
    },
  }
}

test('the body has the sent bytes, in their order', async () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: LARGE_BODY_BYTES - 2, max: 300_000 }))
  await fc.assert(
    fc.asyncProperty(size, fc.array(fc.nat(300_000)), fc.nat(10), async (length, places, readAt) => {
      const sent = Uint8Array.from({ length }, (_, at) => (at * 7) % 251)
      const cuts = [...new Set([0, ...places.map((place) => place % length), length])].sort((a, b) => a - b)
      const { res, send } = arriving()
      const body = new Body(length, res, LIMIT)
      body.capture()
      let read: Promise<Uint8Array> | undefined
      for (const [index, from] of cuts.slice(0, -1).entries()) {
        if (index === readAt) read = body.read(LIMIT)
        send(sent.subarray(from, cuts[index + 1]), cuts[index + 1] === length)
      }
      const got = await (read ?? body.read(LIMIT))
      assert.is(Buffer.compare(got, sent), 0)
    }),
  )
})

test('an announced size reserves no memory before a route reads the body', async () => {
  const { arrayBuffers } = process.memoryUsage()
  const waiting = Array.from({ length: 64 }, () => {
    const { res, send } = arriving()
    const body = new Body(LIMIT, res, LIMIT)
    body.capture()
    send(new Uint8Array([1]), false)
    return body
  })
  const more = process.memoryUsage().arrayBuffers - arrayBuffers
  assert.ok(more < 1_048_576, `${more} bytes for ${waiting.length} bodies`)
})

test.run()
