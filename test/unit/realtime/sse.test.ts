import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SseParser } from '../../../plugins/client/sse-parser.ts'
import { createEpoch, formatCursor, parseCursor } from '../../../plugins/realtime/streams/cursor.ts'
import { encodeComment, encodeEvent, encodeJson, encodeRetry } from '../../../plugins/realtime/streams/sse.ts'
import { encodingCases, type ParsedEvent, streamCases } from '../../support/vectors/sse.ts'

function parse(bytes: Uint8Array): { events: ParsedEvent[]; retry: number | null } {
  const events: ParsedEvent[] = []
  const parser = new SseParser((event) => events.push({ type: event.type, data: event.data, lastEventId: event.id }))
  parser.push(bytes)
  return { events, retry: parser.retryMs }
}

test('encoded events are parsed to the same events', () => {
  for (const { name, event, expect } of encodingCases()) {
    let bytes: Uint8Array | null = null
    try {
      if (event.data !== undefined) bytes = encodeEvent({ ...event, data: event.data })
      else if (event.comment !== undefined) bytes = encodeComment(event.comment)
    } catch {
      assert.is(expect, 'throw-or-strip', name)
      continue
    }
    if (bytes === null) continue
    const { events } = parse(bytes)
    if (expect === 'no-event') assert.equal(events, [], name)
    else if (expect === 'throw-or-strip')
      assert.equal(
        events.map(({ data }) => data),
        ['x'],
        name,
      )
    else assert.equal(events, expect, name)
  }
})

// test/fuzz cuts streams into pieces.
test('the parser reads every stream', () => {
  for (const { name, input_b64, events, retry_ms } of streamCases()) {
    const whole = parse(new Uint8Array(Buffer.from(input_b64, 'base64')))
    assert.equal(whole.events, events, name)
    assert.is(whole.retry, retry_ms, name)
  }
})

test('no value can start another field', () => {
  const hostile = 'a\n\ndata: evil\nid: 9\revent: x'
  assert.equal(
    parse(encodeJson({ v: hostile })).events.map(({ data }) => JSON.parse(data)),
    [{ v: hostile }],
  )
  assert.throws(() => encodeEvent({ data: 'x', id: 'a\nb' }), TypeError)
  assert.throws(() => encodeEvent({ data: 'x', id: 'a\0b' }), TypeError)
  assert.throws(() => encodeEvent({ data: 'x', event: 'a\rdata: y' }), TypeError)
  assert.equal(parse(encodeComment('a\r\ndata: evil\n\ndata: more')).events, [])
  assert.is(Buffer.from(encodeRetry(1000)).toString(), 'retry: 1000\n\n')
})

test('cursors are formatted and parsed, and malformed cursors give null', () => {
  const epoch = createEpoch(Uint8Array.from([0, 1, 2, 3, 29, 30, 31, 255]))
  assert.match(epoch, /^[a-z2-7]{8}$/)
  assert.equal(parseCursor(formatCursor(epoch, 7)), { epoch, sequence: 7 })
  assert.equal(parseCursor('12'), { epoch: null, sequence: 12 })
  for (const text of [
    '',
    '-1',
    'x',
    '1.5',
    '1e3',
    `${epoch}-`,
    `${epoch}-x`,
    `${epoch.toUpperCase()}-1`,
    ' 1',
    '99999999999999999',
  ]) {
    assert.is(parseCursor(text), null, text)
  }
})

test.run()
