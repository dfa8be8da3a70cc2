import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { counter } from '../../../core/declare/metric.ts'
import { definePlugin } from '../../../core/declare/plugin.ts'
import type { Kernel } from '../../../core/kernel/kernel.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { feature as metrics } from '../../../plugins/telemetry/metrics/feature.ts'
import { compose, keepLog } from '../../support/kernels.ts'
import { makeRequest } from '../../support/requests.ts'

const key = Symbol.for('svc.metrics.recorder.2')
const slot = globalThis as unknown as Record<symbol, unknown>

async function scrape(kernel: Kernel): Promise<string> {
  const reply = await kernel.surface('runtime').handle(makeRequest('/metrics'))
  assert.is(reply.status, 200)
  assert.match(reply.headers!['content-type']!, 'text/plain; version=0.0.4')
  return typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body)
}

async function withKernel(use: (kernel: Kernel) => Promise<void>): Promise<ReturnType<typeof keepLog>> {
  const log = keepLog()
  const kernel = compose([probes, metrics], { log })
  await kernel.start()
  try {
    await use(kernel)
  } finally {
    await kernel.stop()
  }
  return log
}

test('if another component owns the recorder, there is one warning and the scrape is empty', async () => {
  const other = { of: 'another component' }
  slot[key] = other
  try {
    const log = await withKernel(async (kernel) => {
      kernel.capability('Telemetry').sycophancy(0.5)
      assert.is(await scrape(kernel), '')
      assert.is(await scrape(kernel), '')
    })
    const warnings = log.records.filter(({ level }) => level === 'warn')
    assert.is(warnings.length, 1)
    assert.match(warnings[0]!.message, 'owns the metrics recorder')
    assert.is(slot[key], other, 'the other recorder is unchanged')
  } finally {
    delete slot[key]
  }
})

test('a metric of any plugin is declared at the start, and counts from onStart on', async () => {
  const counts = definePlugin({
    name: 'edge.counts',
    feature: 'edge.counts',
    metrics: { asked: counter('edge_quotes_total', { unit: 'quotes', help: 'Quotes.', labels: ['outcome'] }) },
    setup({ metrics, onStart }) {
      assert.is(metrics.asked.enabled, true)
      onStart(() => metrics.asked.add({ outcome: 'found' }, 2))
    },
  })
  // Set up after the plugin that collects, whatever the order of the list.
  const kernel = compose([counts, probes, metrics])
  await kernel.start()
  try {
    const text = await scrape(kernel)
    assert.match(text, '# HELP edge_quotes_total Quotes.\n# TYPE edge_quotes_total counter\n')
    assert.match(text, 'edge_quotes_total{outcome="found"} 2\n')
    assert.match(text, '# TYPE svc_tool_server_up gauge\n')
    assert.not.match(text, 'svc_kbd_')
  } finally {
    await kernel.stop()
  }
})

test('two runtimes of one process show the same counts, and a stop of both clears them', async () => {
  await withKernel(async (one) => {
    await withKernel(async (two) => {
      await one.surface('runtime').handle(makeRequest('/health'))
      assert.match(await scrape(two), 'svc_http_requests_total{method="GET",path="/health",status="200"} 1\n')
    })
    assert.match(await scrape(one), 'svc_http_requests_total{method="GET",path="/health",status="200"} 1\n')
  })
  await withKernel(async (kernel) => assert.not.match(await scrape(kernel), 'path="/health"'))
})

test.run()
