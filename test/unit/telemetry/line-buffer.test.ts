import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ChunkOutput, LineBuffer } from '../../../plugins/telemetry/logs/line-buffer.ts'
import { ownTimeMs } from '../../support/process-time.ts'

/** A buffer with an output and a queue of deferred work. The test controls both. */
function manual(
  limit?: number,
  onDropped: (count: number) => void = () => undefined,
): {
  buffer: LineBuffer
  chunks: string[]
  soon: () => void
  finish: (error?: Error) => void
} {
  const chunks: string[] = []
  const due: (() => void)[] = []
  let done: ((error?: Error | null) => void) | undefined
  const output: ChunkOutput = {
    write(chunk, finished) {
      assert.is(done, undefined, 'two chunks under way at once')
      chunks.push(chunk)
      done = finished
    },
  }
  const buffer = new LineBuffer({
    output,
    ...(limit !== undefined && { limit }),
    printDropped: (count) => `dropped ${count}\n`,
    onDropped,
    soon: (run) => due.push(run),
  })
  return {
    buffer,
    chunks,
    soon: () => {
      for (const run of due.splice(0)) run()
    },
    finish: (error) => {
      const finished = done
      done = undefined
      finished?.(error)
    },
  }
}

test('dropped lines are reported at the end too', async () => {
  const { buffer, chunks, soon, finish } = manual(10)
  buffer.write('0123456789')
  buffer.write('lost\n')
  soon()
  const drained = buffer.drained()
  finish()
  finish()
  await drained
  assert.equal(chunks, ['0123456789', 'dropped 1\n'])
})

test('lines for a disconnected reader are dropped and counted, and later lines reach the next reader', async () => {
  const { buffer, chunks, soon, finish } = manual()
  buffer.write('a\n')
  soon()
  buffer.write('b\n')
  finish(new Error('EPIPE'))
  assert.is(buffer.dropped, 1)
  soon()
  finish(new Error('EPIPE'))
  buffer.write('c\n')
  soon()
  finish(new Error('EPIPE'))
  assert.is(buffer.dropped, 3, 'the line that reports dropped lines does not count')
  buffer.write('d\n')
  soon()
  finish()
  assert.equal(chunks, ['a\n', 'b\n', 'dropped 2\nc\n', 'dropped 3\nd\n'])
  await buffer.drained()
})

test('every dropped line is passed to onDropped once', () => {
  const reported: number[] = []
  const { buffer, soon, finish } = manual(10, (count) => reported.push(count))
  for (let i = 0; i < 7; i++) buffer.write('a\n')
  soon()
  finish(new Error('EPIPE'))
  assert.equal(reported, [1, 1, 5])
  assert.is(buffer.dropped, 7)
})

test('take() returns the remaining lines for a last write', () => {
  const { buffer, chunks, soon, finish } = manual()
  buffer.write('a\n')
  soon()
  buffer.write('b\n')
  buffer.write('c\n')
  assert.is(buffer.take(), 'b\nc\n')
  finish()
  assert.equal(chunks, ['a\n'])
  assert.is(buffer.take(), '')
})

test('property: at any pace accepted lines are written once and in order, and the size stays bounded', () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 200 }) },
    { weight: 1, arbitrary: fc.constantFrom('soon' as const, 'finish' as const) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const limit = 2_000
      const { buffer, chunks, soon, finish } = manual(limit)
      let taken = 0
      let sent = 0
      for (const [index, next] of steps.entries()) {
        if (next === 'soon') soon()
        else if (next === 'finish') finish()
        else {
          const before = buffer.dropped
          buffer.write(`${index}:${'x'.repeat(next)}\n`)
          if (buffer.dropped === before) taken++
        }
      }
      for (let i = 0; i < steps.length + 2; i++) {
        soon()
        finish()
      }
      const lines = chunks.join('').split('\n').slice(0, -1)
      const numbers = lines.filter((line) => !line.startsWith('dropped')).map((line) => Number(line.split(':')[0]))
      sent = numbers.length
      assert.is(sent, taken)
      assert.equal(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
      const reported = lines
        .filter((line) => line.startsWith('dropped'))
        .reduce((sum, line) => sum + Number(line.slice(8)), 0)
      assert.ok(reported <= buffer.dropped)
    }),
  )
})

test('the time to send a long queue grows linearly with its length', async () => {
  let sent = 0
  const output: ChunkOutput = {
    write(chunk, done) {
      sent += chunk.length
      setImmediate(done)
    },
  }
  const buffer = new LineBuffer({ output, limit: 64_000_000, printDropped: String })
  for (let i = 0; i < 400_000; i++) buffer.write('0123456789 0123456789 0123456789 0123456789\n')
  const began = ownTimeMs()
  await buffer.drained()
  assert.is(sent, 400_000 * 44)
  assert.ok(ownTimeMs() - began < 5_000)
})

test.run()
