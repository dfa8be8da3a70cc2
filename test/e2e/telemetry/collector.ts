/** A collector of OTLP traces on loopback. The collector decodes requests with the official proto files. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { vectorPath } from '../../support/vectors.ts'

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

/** Returns a function that decodes an export request. Returns undefined if the proto files are missing. */
export function loadDecoder(): ((bytes: Uint8Array) => ReceivedSpan[]) | undefined {
  const folder = vectorPath('otlp/proto')
  if (folder === undefined) return undefined
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) => join(folder, target)
  root.loadSync('opentelemetry/proto/collector/trace/v1/trace_service.proto')
  const type = root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest')
  return (bytes) => {
    const options = { bytes: String, longs: String, defaults: true, arrays: true }
    return flatten(type.toObject(type.decode(bytes), options) as ExportRequest)
  }
}

/** Starts a collector on a free port. */
export async function startCollector(decode: (bytes: Uint8Array) => ReceivedSpan[]): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers })
      if (collector.status === 200) spans.push(...decode(Buffer.concat(chunks)))
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
    until: (count, limitMs = 10_000) =>
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
