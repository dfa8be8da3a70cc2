/** Server-sent events (WHATWG HTML 9.2): cases of our own, and the collections. */
import { collected } from './collections.ts'

/** An event as a client receives it. */
export interface ParsedEvent {
  readonly type: string
  readonly data: string
  readonly lastEventId: string
}

/** A stream in base64, and what a client reads from it. */
export interface StreamCase {
  readonly name: string
  readonly input_b64: string
  readonly events: readonly ParsedEvent[]
  readonly retry_ms: number | null
}

/** An event to encode, and what a client reads. `throw-or-strip`: an error, or one event with the data `x`. */
export interface EncodingCase {
  readonly name: string
  readonly event: { readonly data?: string; readonly event?: string; readonly id?: string; readonly comment?: string }
  readonly expect: readonly ParsedEvent[] | 'throw-or-strip' | 'no-event'
}

const message = (data: string, type = 'message', lastEventId = ''): ParsedEvent => ({ type, data, lastEventId })

/** All streams to read. */
export function streamCases(): readonly StreamCase[] {
  const own = streams.map(([input, events, retry_ms = null]) => ({
    ...{ name: JSON.stringify(input), input_b64: Buffer.from(input).toString('base64') },
    ...{ events, retry_ms },
  }))
  return [...own, ...collected<StreamCase>('sse/parse.json')]
}

/** All events to encode. */
export function encodingCases(): readonly EncodingCase[] {
  const own = encodings.map(([event, expect]) => ({ name: JSON.stringify(event), event, expect }))
  return [...own, ...collected<EncodingCase>('sse/serialize_roundtrip.json')]
}

const streams: readonly (readonly [string, readonly ParsedEvent[], number?])[] = [
  ['', []],
  ['data: a\n\n', [message('a')]],
  ['data:a\n\n', [message('a')]],
  ['data:  a \n\n', [message(' a ')]],
  ['data: a\r\n\r\n', [message('a')]],
  ['data: a\r\rdata: b\n\n', [message('a'), message('b')]],
  ['data: a\n\r\ndata: b\r\n\r', [message('a'), message('b')]],
  ['data: a\ndata: b\r\ndata: c\rdata\n\n', [message('a\nb\nc\n')]],
  ['data: a\n', []],
  ['data: a\n\ndata: unfinished', [message('a')]],
  ['data\n\n', [message('')]],
  ['data:\n\n\n\n', [message('')]],
  ['data\ndata\n\n', [message('\n')]],
  ['\n\n\n', []],
  ['\ufeffdata: a\n\n', [message('a')]],
  ['\ufeff\ufeffdata: a\n\n', []],
  ['data: \ufeffa\n\n', [message('\ufeffa')]],
  ['data: é\u2028😀\u0085\n\n', [message('é\u2028😀\u0085')]],
  ['data: a\0b\n\n', [message('a\0b')]],
  [': note\n\n:data: a\n:\ndata: b\n:\n\n', [message('b')]],
  ['event: push\ndata: a\n\ndata: b\n\n', [message('a', 'push'), message('b')]],
  ['event: x\nevent: y\ndata: a\n\n', [message('a', 'y')]],
  ['event: x\nevent\ndata: a\n\n', [message('a')]],
  ['event: x\n\ndata: a\n\n', [message('a')]],
  ['id: 1\ndata: a\n\ndata: b\n\n', [message('a', 'message', '1'), message('b', 'message', '1')]],
  ['id: 1\ndata: a\n\nid\ndata: b\n\n', [message('a', 'message', '1'), message('b')]],
  ['id: 1\n\ndata: b\n\n', [message('b', 'message', '1')]],
  ['id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n', [message('a', 'message', '1'), message('b', 'message', '1')]],
  ['id:  é😀\ndata: a\n\n', [message('a', 'message', ' é😀')]],
  ['data: a\nid: late\n\n', [message('a', 'message', 'late')]],
  ['retry: 1500\n\ndata: a\n\n', [message('a')], 1_500],
  ['retry: 10\nretry: 20\ndata: a\n\n', [message('a')], 20],
  ['retry: 10\nretry: -1\nretry: 1.5\nretry: 1e3\nretry:\nretry: x\nretry:  7\ndata: a\n\n', [message('a')], 10],
  ['retry: 10\nretry: ١٢\n\n', [], 10],
  ['retry: 0\n', [], 0],
  ['Data: a\nDATA: b\n data: c\ndata : d\ndatax: e\n\n', []],
  ['unknown: x\nunknown\ndata: a\n\n', [message('a')]],
  ['data: event: x\n\n', [message('event: x')]],
  ['data: a:b: c\n\n', [message('a:b: c')]],
  ['data:\ta\n\n', [message('\ta')]],
  ['event:  x \ndata: a\n\n', [message('a', ' x ')]],
]

const encodings: readonly (readonly [EncodingCase['event'], EncodingCase['expect']])[] = [
  [{ data: 'x' }, [message('x')]],
  [{ data: '' }, [message('')]],
  [{ data: '\n' }, [message('\n')]],
  [{ data: '\na\n\nb\n' }, [message('\na\n\nb\n')]],
  [{ data: 'a\r\nb\rc' }, [message('a\nb\nc')]],
  [{ data: ' a ' }, [message(' a ')]],
  [{ data: ': a' }, [message(': a')]],
  [{ data: 'x\n\nid: 9\nevent: evil\ndata: y' }, [message('x\n\nid: 9\nevent: evil\ndata: y')]],
  [{ data: 'é\u2028\ufeff😀' }, [message('é\u2028\ufeff😀')]],
  [{ data: 'x', event: 'push', id: '7' }, [message('x', 'push', '7')]],
  [{ data: 'x', id: '' }, [message('x')]],
  [{ data: 'x', id: 'a\ndata: y' }, 'throw-or-strip'],
  [{ data: 'x', id: 'a\r' }, 'throw-or-strip'],
  [{ data: 'x', id: 'a\0b' }, 'throw-or-strip'],
  [{ data: 'x', event: 'a\nid: 1' }, 'throw-or-strip'],
  [{ data: 'x', event: 'a\r\n\r\ndata: y' }, 'throw-or-strip'],
  [{ comment: '' }, 'no-event'],
  [{ comment: 'alive' }, 'no-event'],
  [{ comment: 'a\n\ndata: x\n\n' }, 'no-event'],
  [{ comment: 'a\rdata: x\r\r' }, 'no-event'],
]
