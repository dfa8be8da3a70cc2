/** Input of the realtime streams: positions, and events in any order. Also event streams as a client reads them. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SseParser } from '../../plugins/client/sse-parser.ts'
import { preludeEvents } from '../../plugins/realtime/runs/agui-spec/prelude-events.ts'
import { type AgUiEvent, eventProblem } from '../../plugins/realtime/runs/event-shape.ts'
import { OrderError } from '../../plugins/realtime/runs/order/chunk-lanes.ts'
import { LimitError } from '../../plugins/realtime/runs/patch/patch-scope.ts'
import { RunPoint } from '../../plugins/realtime/runs/run-point.ts'
import { formatCursor, parseCursor } from '../../plugins/realtime/streams/cursor.ts'
import { anyCharacter } from '../support/any-character.ts'
import { ownTimeMs } from '../support/process-time.ts'
import { anyEvent } from '../unit/realtime/run-events.ts'
import { runs } from './runs.ts'

const test = suite('fuzz: realtime')

test('AG-UI: any JSON is accepted or refused; a refused batch changes nothing', () => {
  const spoilt = fc.tuple(
    anyEvent,
    fc.constantFrom('messageId', 'delta', 'toolCalls', 'messages', 'input', 'patch'),
    fc.jsonValue(),
  )
  const wild = fc.oneof(
    { weight: 6, arbitrary: anyEvent },
    { weight: 1, arbitrary: spoilt.map(([event, field, value]) => ({ ...event, [field]: value }) as AgUiEvent) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => value as unknown as AgUiEvent) },
  )
  // Agents have no order among each other, so an undone change may restore an open agent at another position.
  const show = (point: RunPoint): string =>
    JSON.stringify([
      preludeEvents(point)
        .map((event) => JSON.stringify(event))
        .sort(),
      point.bytes,
    ])
  fc.assert(
    fc.property(
      fc.array(fc.array(wild, { maxLength: 6 }), { maxLength: 12 }),
      fc.integer({ min: 200, max: 20_000 }),
      (batches, bound) => {
        const head = new RunPoint(bound)
        const log: AgUiEvent[] = []
        for (const batch of [[{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }], ...batches]) {
          if (batch.some((event) => eventProblem(event) !== null)) continue
          const events = structuredClone(batch)
          const before = show(head)
          try {
            head.append(events)
            log.push(...batch)
          } catch (error) {
            if (!(error instanceof OrderError || error instanceof LimitError)) throw error
            assert.is(show(head), before)
          }
          assert.ok(head.bytes >= 0)
        }
        const replayed = new RunPoint(bound)
        for (const event of log) replayed.replay(structuredClone(event))
        assert.equal(JSON.parse(show(replayed)), JSON.parse(show(head)))
        assert.is(show(head.copy()), show(head))
      },
    ),
    runs(),
  )
})

test('positions: any text is parsed or refused, and a formatted position is parsed to itself', () => {
  const near = fc.string({ unit: fc.constantFrom(...'abz27-019. \n'), maxLength: 30 })
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ unit: anyCharacter, maxLength: 40 })), (text) => {
      const cursor = parseCursor(text)
      if (cursor === null) return
      assert.ok(Number.isSafeInteger(cursor.sequence) && cursor.sequence >= 0)
      assert.ok(cursor.epoch === null || /^[a-z2-7]{8}$/.test(cursor.epoch))
    }),
    runs(),
  )
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z2-7]{8}$/), fc.nat(Number.MAX_SAFE_INTEGER), (epoch, sequence) => {
      assert.equal(parseCursor(formatCursor(epoch, sequence)), { epoch, sequence })
    }),
    runs(),
  )
})

test('event streams: a stream gives the same events wherever it is cut', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'data',
      'data:',
      ': hb',
      'id: 7',
      'id: \0',
      'event: x',
      'retry: 5',
      'retry: x',
      '',
      '',
      'data: é😀',
      '\ufeffdata: b',
      'data: \u0001',
    ),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
  )
  const text = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r'))).map((all) => all.flat().join(''))
  const read = (chunks: readonly Uint8Array[]): unknown => {
    const events: unknown[] = []
    const parser = new SseParser((event) => events.push(event))
    for (const chunk of chunks) parser.push(chunk)
    return [events, parser.retryMs, parser.lastEventId]
  }
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 12 }), (stream, cuts) => {
      // The character 1 stands for a byte that is not UTF-8.
      const bytes = new TextEncoder().encode(stream).map((byte) => (byte === 1 ? 0xff : byte))
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
      assert.equal(read(chunks), read([bytes]))
    }),
    runs(),
  )
})

test('event streams: the time for a long line is proportional to its length', () => {
  const parser = new SseParser((event) => {
    assert.is(event.data.length, 8 * 1024 * 1024)
  })
  const piece = new TextEncoder().encode('x'.repeat(1_024))
  parser.push(new TextEncoder().encode('data: '))
  const began = ownTimeMs()
  for (let i = 0; i < 8 * 1_024; i++) parser.push(piece)
  parser.push(new TextEncoder().encode('\n\n'))
  // A parser with quadratic time took 9 s.
  assert.ok(ownTimeMs() - began < 4_000, `${ownTimeMs() - began} ms`)
})

test.run()
