import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ChunkOutput, LineBuffer } from '../../../plugins/telemetry/logs/line-buffer.ts'
import { ownTimeMs } from '../../support/process-time.ts'

/** An output that the test steps by hand, and a queue of what is due soon. */
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

test('the lines of a turn leave in one write', async () => {
  const { buffer, chunks, soon, finish } = manual()
  buffer.write('a\n')
  buffer.write('b\n')
  assert.equal(chunks, [])
  soon()
  assert.equal(chunks, ['a\nb\n'])
  buffer.write('c\n')
  soon()
  assert.equal(chunks, ['a\nb\n'], 'one chunk at a time')
  const drained = buffer.drained()
  finish()
  assert.equal(chunks, ['a\nb\n', 'c\n'])
  finish()
  await drained
})

test('a reader that takes nothing costs counted lines and bounded memory', async () => {
  const { buffer, chunks, soon, finish } = manual(100)
  for (let i = 0; i < 1_000; i++) buffer.write(`${'x'.repeat(9)}\n`)
  soon()
  assert.is(buffer.dropped, 990)
  finish()
  buffer.write('later\n')
  soon()
  finish()
  assert.equal(chunks.slice(1), ['dropped 990\nlater\n'])
  assert.is(buffer.dropped, 990, 'told, and still counted')
  await buffer.drained()
})

test('what was dropped is told at the end too', async () => {
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

test('lines for a reader that is gone are dropped and counted, and the next one gets what comes later', async () => {
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
  assert.is(buffer.dropped, 3, 'a line that tells of others is none itself')
  buffer.write('d\n')
  soon()
  finish()
  assert.equal(chunks, ['a\n', 'b\n', 'dropped 2\nc\n', 'dropped 3\nd\n'])
  await buffer.drained()
})

test('a drain does not wait for a reader that is gone', async () => {
  const { buffer, chunks, soon, finish } = manual()
  buffer.write('a\n')
  soon()
  finish(new Error('EPIPE'))
  buffer.write('b\n')
  const drained = buffer.drained()
  finish(new Error('EPIPE'))
  await drained
  assert.is(chunks.length, 2)
  assert.is(buffer.dropped, 2)
})

test('every line that is dropped is told to who counts them, once', () => {
  const told: number[] = []
  const { buffer, soon, finish } = manual(10, (count) => told.push(count))
  for (let i = 0; i < 7; i++) buffer.write('a\n')
  soon()
  finish(new Error('EPIPE'))
  assert.equal(told, [1, 1, 5])
  assert.is(buffer.dropped, 7)
})

test('the rest can be taken for a last write', () => {
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

test('property: whatever the pace, taken lines leave once, in order, and the size stays bounded', () => {
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
      const told = lines
        .filter((line) => line.startsWith('dropped'))
        .reduce((sum, line) => sum + Number(line.slice(8)), 0)
      assert.ok(told <= buffer.dropped)
    }),
  )
})

test('a long queue is sent in time that grows with its length only', async () => {
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
