/** A trace continues from an append on one node to a reader on another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { testUnless } from '../../support/skip.ts'
import { startCollector } from '../telemetry/collector.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'
import { readRun } from './run-reader.ts'

const test = suite('cluster: traces')

const traceId = '0af7651916cd43dd8448eb211c80319c'
const unrecorded = '1bf7651916cd43dd8448eb211c80319c'
const caller = 'b7ad6b7169203331'

testUnless(
  test,
  noCluster,
  'the delivery to a reader on another node is a child span of the append, if the caller samples the trace',
  async () => {
    const collector = await startCollector()
    let cluster: Cluster | undefined
    try {
      cluster = await startCluster(0)
      const nodeOf = (name: string) =>
        cluster!.join({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: name })
      for (const name of ['writing', 'reading', 'idle']) await nodeOf(name)
      const as = tokenFor({ user: 'ada', tenant: 'acme' })
      const append = async (type: string, headers: Record<string, string> = {}): Promise<void> => {
        const body = { type, threadId: 't', runId: 'r', name: 'x', value: null }
        const answer = await cluster!.send('/api/svc/runs/r/events', { method: 'POST', as, body, node: 0, headers })
        assert.is(answer.status, 200, answer.code)
      }
      const made = await cluster.send('/api/svc/runs', { method: 'POST', as, body: { run_id: 'r' }, node: 0 })
      assert.is(made.status, 201)
      // Stored before a reader exists.
      await append('RUN_STARTED', { traceparent: `00-${traceId}-${caller}-01` })
      const reading = await readRun(cluster.nodes[1]!.base, 'r', { as })
      await until('the reader has the first event', async () => reading.events.length === 1, 60_000)

      await append('CUSTOM', { traceparent: `00-${traceId}-${caller}-01`, tracestate: 'vendor=1' })
      await append('CUSTOM', { traceparent: `00-${unrecorded}-${caller}-00` })
      await append('CUSTOM', { traceparent: 'no trace' })
      await until('the reader has all', async () => reading.events.length === 4, 60_000)
      reading.close()
    } finally {
      await cluster?.stop()
      await collector.close()
    }
    const { spans } = collector
    const deliveries = spans.filter(({ name }) => name === 'deliver run events')
    const appends = spans.filter(({ name }) => name === 'POST /api/svc/runs/:run_id/events')
    assert.is(appends.length, 3, 'the append that its caller does not sample is not exported')
    assert.equal(
      deliveries.map(({ resource }) => resource['service.name']),
      ['reading', 'reading'],
      'a node without a reader delivers nothing',
    )
    const [recorded, begunHere] = deliveries
    assert.is(recorded!.traceId, traceId)
    const [, append] = appends.filter((span) => span.traceId === traceId)
    assert.is(recorded!.parentSpanId, append!.spanId, 'a child of the second append, because the first had no reader')
    assert.is(append!.resource['service.name'], 'writing')
    assert.equal(recorded!.attributes, { 'run.events': '1', 'run.readers': '1' })
    const last = appends.find(({ spanId }) => spanId === begunHere!.parentSpanId)
    assert.is(last?.traceId, begunHere!.traceId, 'a trace that begins with the append continues too')
    assert.not.ok(spans.some((span) => span.traceId === unrecorded))
  },
)

test.run()
