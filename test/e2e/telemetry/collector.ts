/** A collector of OTLP traces on loopback. It decodes what it receives. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import protobuf from 'protobufjs'

/** A received span; ids in hex, times in milliseconds. */
export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly startMs: number
  readonly endMs: number
  readonly status: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
}

/** A running collector. */
export interface Collector {
  readonly endpoint: string
  readonly spans: readonly ReceivedSpan[]
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** The status of the next answers; 200 at first. */
  status: number
  /** The body of the next answers, an `ExportTraceServiceResponse`; empty at first. */
  body: Uint8Array
  /** Waits until `count` spans have arrived. */
  until(count: number, limitMs?: number): Promise<void>
  close(): Promise<void>
}

/** The fields of the messages of OTLP 1 that the exporter sends, by their numbers. Decoding ignores all others. */
const messages = protobuf.Root.fromJSON({
  nested: {
    Request: { fields: { resourceSpans: { rule: 'repeated', type: 'ResourceSpans', id: 1 } } },
    ResourceSpans: {
      fields: { resource: { type: 'Resource', id: 1 }, scopeSpans: { rule: 'repeated', type: 'ScopeSpans', id: 2 } },
    },
    Resource: { fields: { attributes: { rule: 'repeated', type: 'KeyValue', id: 1 } } },
    ScopeSpans: { fields: { spans: { rule: 'repeated', type: 'Span', id: 2 } } },
    Span: {
      fields: {
        traceId: { type: 'bytes', id: 1 },
        spanId: { type: 'bytes', id: 2 },
        parentSpanId: { type: 'bytes', id: 4 },
        name: { type: 'string', id: 5 },
        kind: { type: 'int32', id: 6 },
        startTimeUnixNano: { type: 'fixed64', id: 7 },
        endTimeUnixNano: { type: 'fixed64', id: 8 },
        attributes: { rule: 'repeated', type: 'KeyValue', id: 9 },
        status: { type: 'Status', id: 15 },
      },
    },
    Status: { fields: { code: { type: 'int32', id: 3 } } },
    KeyValue: { fields: { key: { type: 'string', id: 1 }, value: { type: 'AnyValue', id: 2 } } },
    AnyValue: {
      oneofs: { value: { oneof: ['text', 'flag', 'integer', 'number'] } },
      fields: {
        text: { type: 'string', id: 1 },
        flag: { type: 'bool', id: 2 },
        integer: { type: 'int64', id: 3 },
        number: { type: 'double', id: 4 },
      },
    },
  },
})

/** Decodes an export request (`ExportTraceServiceRequest`). */
export function decodeSpans(bytes: Uint8Array): ReceivedSpan[] {
  const type = messages.lookupType('Request')
  const options = { bytes: String, longs: String, defaults: true, arrays: true }
  return flatten(type.toObject(type.decode(bytes), options) as ExportRequest)
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers })
      if (collector.status === 200) spans.push(...decodeSpans(Buffer.concat(chunks)))
      response.writeHead(collector.status, { 'content-type': 'application/x-protobuf' }).end(collector.body)
      for (const listener of listeners) listener()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: Collector = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    status: 200,
    body: new Uint8Array(),
    until: (count, limitMs = 60_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(check)
          reject(new Error(`${spans.length} of ${count} spans after ${limitMs} ms`))
        }, limitMs)
        const check = (): void => {
          if (spans.length < count) return
          clearTimeout(timer)
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return collector
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] }
    scopeSpans: { spans: WireSpan[] }[]
  }[]
}

interface KeyValue {
  key: string
  value: Record<string, unknown>
}

interface WireSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: KeyValue[]
  status: { code?: number } | null
}

function flatten({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        kind: span.kind,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
        status: span.status?.code ?? 0,
        attributes: toRecord(span.attributes),
        resource: toRecord(resource.attributes),
      })),
    ),
  )
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex')
}

function toRecord(pairs: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))
}
