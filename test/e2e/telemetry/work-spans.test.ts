import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { testUnless } from '../../support/skip.ts'
import { startBuilt, unbuilt } from './built-service.ts'
import { type Collector, startCollector } from './collector.ts'

const traceId = 'abcdefabcdefabcdefabcdefabcdef12'

function collecting(name: string, use: (collector: Collector) => Promise<void>): void {
  testUnless(test, unbuilt, name, async () => {
    const collector = await startCollector()
    try {
      await use(collector)
    } finally {
      await collector.close()
    }
  })
}

collecting('a push and each of its stages are spans', async (collector) => {
  const service = await startBuilt({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
  const key = join(service.folder, 'device.pem')
  await service.command('device', 'keygen', '--out', key)
  await service.command('device', 'enroll', '--key', `${key}.pub`, '--scope', 'kbd-control:demo')
  await service.command('push', '--key', key, '--domain', 'kbd-control:demo')
  await service.stop()
  const push = collector.spans.find(({ name }) => name === 'push')
  assert.ok(push, collector.spans.map(({ name }) => name).join())
  assert.is(push.attributes['push.result'], 'created')
  const request = collector.spans.find(({ spanId }) => spanId === push.parentSpanId)
  assert.is(request?.name, 'POST /api/v2/sync/pushes')
  const stages = collector.spans.filter(({ parentSpanId }) => parentSpanId === push.spanId)
  assert.equal(
    stages.map(({ name }) => name),
    ['push admit', 'push verify', 'push authorise', 'push commit'],
  )
  for (const { startMs, endMs } of stages) assert.ok(push.startMs <= startMs && startMs <= endMs && endMs <= push.endMs)
})

collecting('a run stream is a span from its opening to its end, in the trace of its reader', async (collector) => {
  const service = await startBuilt({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
  const headers = {
    authorization: `Bearer ${tokenFor({ user: 'ada' })}`,
    'content-type': 'application/json',
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  }
  const made = await fetch(`${service.base}/api/svc/runs`, { method: 'POST', headers, body: '{"run_id":"r1"}' })
  assert.is(made.status, 201)
  const leave = new AbortController()
  const stream = await fetch(`${service.base}/api/svc/runs/r1/stream`, { headers, signal: leave.signal })
  assert.is(stream.status, 200)
  await stream.body!.getReader().read()
  await new Promise((resolve) => setTimeout(resolve, 150))
  leave.abort()
  await service.stop()
  const span = collector.spans.find(({ name }) => name.startsWith('stream '))
  assert.ok(span, collector.spans.map(({ name }) => name).join())
  assert.is(span.traceId, traceId)
  assert.ok(span.endMs - span.startMs >= 100, `${span.endMs - span.startMs} ms`)
})

test.run()
