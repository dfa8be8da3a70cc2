/** The text of an answer as the console shows it: its size in bytes, and only its beginning if it is long. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readAnswerText } from '../../../plugins/console/page/views/api/answer-text.ts'

const test = suite('console answer text')

test('the size of an answer is counted in bytes, not in UTF-16 units', async () => {
  assert.equal(await readAnswerText(new Response('5 € für 𝄞')), { text: '5 € für 𝄞', size: 15, isCut: false })
  assert.equal(await readAnswerText(new Response(null)), { text: '', size: 0, isCut: false })
})

test('bytes that are no UTF-8 count as they came', async () => {
  const { size } = await readAnswerText(new Response(Uint8Array.of(0xff, 0xfe, 0x41)))
  assert.is(size, 3)
})

test('of a long answer the beginning is kept, and its size is that of the bytes that were read', async () => {
  const piece = new TextEncoder().encode('ü'.repeat(50_000))
  let pieces = 0
  const body = new ReadableStream<Uint8Array>(
    { pull: (stream) => (pieces++ < 6 ? stream.enqueue(piece) : stream.close()) },
    { highWaterMark: 0 },
  )
  const { text, size, isCut } = await readAnswerText(new Response(body))
  assert.equal([text.length, isCut], [262_144, true])
  assert.is(size, 6 * piece.length, 'the sixth piece is the first that goes beyond what is shown')
})

test.run()
