import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin } from '../../../core/declare/plugin.ts'
import { anonymous } from '../../../core/http/identity.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { createKernel, type Kernel } from '../../../core/kernel/kernel.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { feature as traces } from '../../../plugins/telemetry/traces/feature.ts'
import { keepLog, registryOf } from '../../support/kernels.ts'
import { makeRequest } from '../../support/requests.ts'
import { collected } from '../../support/vectors/collections.ts'
import { type Collector, decodeSpans, startCollector } from './collector.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

/** Routes that do some traced work, and one that fails. */
const work: RouteSpec = { surface: 'runtime', method: 'GET', path: '/job/:id', summary: 'Works.' }
const broken: RouteSpec = { surface: 'runtime', method: 'GET', path: '/broken', summary: 'Fails.' }
let sent: Readonly<Record<string, string>> = {}
const app = definePlugin({
  name: 'app',
  feature: 'app',
  requires: ['Tracing'],
  routes: [work, broken],
  setup(ctx) {
    ctx.guard('runtime', () => anonymous)
    ctx.route(work, (request) => {
      const span = ctx.use('Tracing').start('fetch keys', request.trace, 'client')
      sent = span.headers
      span.end({ 'keys.count': 2 })
      span.end({ 'keys.count': 3 })
      return { status: 200 }
    })
    ctx.route(broken, () => {
      throw new Error('broken')
    })
  },
})

interface Run {
  readonly kernel: Kernel
  readonly log: ReturnType<typeof keepLog>
  get(path: string, headers?: Record<string, string>): Promise<number>
}

async function run(
  environment: Record<string, string>,
  use: (run: Run) => Promise<void>,
): Promise<ReturnType<typeof keepLog>> {
  const log = keepLog()
  const kernel = createKernel(registryOf([probes, traces, app]), { settings: { environment }, log })
  await kernel.start()
  try {
    await use({
      kernel,
      log,
      get: async (path, headers = {}) => {
        const startedMs = performance.now()
        return (await kernel.surface('runtime').handle(makeRequest(path, { headers, startedMs }))).status
      },
    })
  } finally {
    await kernel.stop()
  }
  return log
}

/** Adds a test with a collector. */
function collecting(name: string, use: (collector: Collector) => Promise<void>): void {
  test(name, async () => {
    const collector = await startCollector()
    try {
      await use(collector)
    } finally {
      await collector.close()
    }
  })
}

collecting(
  'spans of requests and of their work are exported at the stop, in the trace of the caller',
  async (collector) => {
    const before = Date.now()
    await run({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/` }, async ({ get }) => {
      await get('/job/7', { traceparent: `00-${traceId}-${parentId}-01` })
      await get('/broken')
      assert.is(collector.spans.length, 0, 'spans are sent in batches')
    })
    const [client, server, failed] = collector.spans
    assert.is(collector.spans.length, 3)
    assert.is(collector.requests[0]!.path, '/v1/traces')
    assert.is(collector.requests[0]!.headers['content-type'], 'application/x-protobuf')

    assert.is(server!.name, 'GET /job/:id')
    assert.is(server!.kind, 2)
    assert.is(server!.traceId, traceId)
    assert.is(server!.parentSpanId, parentId)
    assert.equal(server!.attributes, {
      'http.request.method': 'GET',
      'http.route': '/job/:id',
      'http.response.status_code': '200',
    })
    assert.is(server!.resource['service.name'], 'svc')
    assert.ok(server!.startMs >= before - 1 && server!.endMs <= Date.now() + 1 && server!.startMs <= server!.endMs)

    assert.is(client!.name, 'fetch keys')
    assert.is(client!.kind, 3)
    assert.is(client!.traceId, traceId)
    assert.is(client!.parentSpanId, server!.spanId)
    assert.equal(client!.attributes, { 'keys.count': '2' })
    assert.equal(sent, { traceparent: `00-${traceId}-${client!.spanId}-01` })

    assert.is(failed!.name, 'GET /broken')
    assert.is(failed!.status, 2)
    assert.is(failed!.parentSpanId, '')
    assert.is.not(failed!.traceId, traceId)
  },
)

collecting(
  'an address of traces alone is used as it is, in place of the base address, and its credentials are in no log',
  async (collector) => {
    const url = new URL(`${collector.endpoint}/ingest/v9?key=hidden`)
    url.username = 'ann'
    url.password = 'hidden'
    const both = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.href }
    for (const environment of [both, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.href }]) {
      const log = await run(environment, async ({ get }) => void (await get('/health')))
      assert.ok(log.messages().includes('Spans are exported.'))
      assert.not.match(JSON.stringify(log.records), /hidden/)
    }
    assert.equal(
      collector.requests.map(({ path }) => path),
      ['/ingest/v9?key=hidden', '/ingest/v9?key=hidden'],
    )
  },
)

collecting('a trace that its caller does not sample is not exported', async (collector) => {
  await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, async ({ get }) => {
    await get('/health', { traceparent: `00-${traceId}-${parentId}-00` })
  })
  assert.is(collector.spans.length, 0)
})

collecting(
  'with a ratio of zero no new trace is sampled, and with a ratio of 0.5 about half of them',
  async (collector) => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }
    await run({ ...endpoint, SVC_TRACES__SAMPLE_RATIO: '0' }, async ({ get }) => {
      await get('/health')
      await get('/health', { traceparent: `00-${traceId}-${parentId}-01` })
    })
    assert.is(collector.spans.length, 1)
    await run({ ...endpoint, SVC_TRACES__SAMPLE_RATIO: '0.5' }, async ({ get }) => {
      for (let i = 0; i < 1_000; i++) await get('/health')
    })
    const share = (collector.spans.length - 1) / 1_000
    assert.ok(share > 0.4 && share < 0.6, `${share}`)
  },
)

for (const [word, exported] of [
  ['false', false],
  ['FALSE', false],
  ['0', false],
  ['Off', false],
  ['no', false],
  [' no ', false],
  ['true', true],
  ['1', true],
  ['', true],
  ['anything', true],
] as const) {
  collecting(
    `SVC_LLM__TRACING=${JSON.stringify(word)} ${exported ? 'exports' : 'exports nothing'}`,
    async (collector) => {
      const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, SVC_LLM__TRACING: word }
      await run(environment, async ({ get }) => assert.is(await get('/health'), 200))
      assert.is(collector.requests.length > 0, exported)
    },
  )
}

/** Runs `work` with variables of the process, where the SDK reads them. */
async function withVariables(variables: Record<string, string>, work: () => Promise<void>): Promise<void> {
  Object.assign(process.env, variables)
  try {
    await work()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
}

for (const [variables, roots, follows] of [
  [{ OTEL_SDK_DISABLED: 'true' }, 0, 0],
  [{ OTEL_TRACES_EXPORTER: 'none' }, 0, 0],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 1, 0],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0, 0],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, 1, 1],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, 1, 0],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0, 0],
] as [Record<string, string>, number, number][]) {
  const names = Object.entries(variables).map((pair) => pair.join('='))
  collecting(`${names.join(' ')} is obeyed`, (collector) =>
    withVariables(variables, async () => {
      const log = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, async ({ get }) => {
        await get('/health')
        await get('/health', { traceparent: `00-${traceId}-${parentId}-00` })
      })
      const followed = collector.spans.filter((span) => span.traceId === traceId).length
      assert.equal([collector.spans.length - followed, followed], [roots, follows])
      assert.equal(
        log.records.filter(({ level }) => level === 'warn'),
        [],
      )
    }),
  )
}

collecting('attributes and the name of the resource come from the variables of OpenTelemetry', async (collector) => {
  const OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=a%2Cb,service.name=of-list'
  await withVariables({ OTEL_RESOURCE_ATTRIBUTES }, async () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }
    for (const environment of [endpoint, { ...endpoint, OTEL_SERVICE_NAME: 'of-variable' }])
      await run(environment, async ({ get }) => void (await get('/health')))
  })
  assert.equal(
    collector.spans.map(({ resource }) => [resource['service.name'], resource['deployment.environment.name']]),
    [
      ['of-list', 'a,b'],
      ['of-variable', 'a,b'],
    ],
  )
})

collecting('variables without an effect, and spans that a collector rejects, are warnings', async (collector) => {
  // partial_success: 3 rejected spans, "no".
  collector.body = Uint8Array.of(0x0a, 6, 0x08, 3, 0x12, 2, 0x6e, 0x6f)
  const variables = {
    OTEL_PROPAGATORS: 'b3',
    OTEL_TRACES_EXPORTER: 'otlp,zipkin',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'sometimes',
  }
  await withVariables(variables, async () => {
    const log = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, async ({ get }) => {
      await get('/health')
    })
    const warnings = log.records.filter(({ level }) => level === 'warn').map(({ fields }) => JSON.stringify(fields))
    assert.is(warnings.length, 3, warnings.join('\n'))
    assert.match(warnings[0]!, 'OTEL_TRACES_SAMPLER value \\"sometimes\\" invalid')
    assert.match(warnings[1]!, '["OTEL_TRACES_EXPORTER=zipkin","OTEL_EXPORTER_OTLP_PROTOCOL=grpc","OTEL_PROPAGATORS"]')
    assert.match(warnings[2]!, /rejectedSpans.*3/)
  })
})

test('without an endpoint nothing is exported, but the trace context is passed on', async () => {
  const log = await run({ SVC_LLM__TRACING: 'true' }, async ({ get }) => {
    await get('/job/1', { traceparent: `00-${traceId}-${parentId}-01` })
    assert.match(sent['traceparent']!, new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  })
  assert.not(log.messages().includes('Spans are exported.'))
})

test('an exporter that cannot be created logs a warning and has no other effect', async () => {
  for (const endpoint of ['no address', 'ftp://127.0.0.1/x']) {
    const log = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, async ({ get }) => {
      assert.is(await get('/job/1'), 200)
    })
    const warnings = log.records.filter(({ message }) => message.includes('could not be made'))
    assert.equal(
      warnings.map(({ level }) => level),
      ['warn'],
    )
  }
})

collecting('a collector that refuses spans causes one log entry and has no other effect', async (collector) => {
  collector.status = 400
  const log = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, async ({ get }) => {
    for (let i = 0; i < 1_500; i++) assert.is(await get('/health'), 200)
  })
  assert.is(log.messages().filter((message) => message === 'Spans could not be exported.').length, 1)
})

collecting('spans that a slow collector does not accept in time are dropped with a warning', async (collector) => {
  const log = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, async ({ kernel, log: kept }) => {
    const tracing = kernel.capability('Tracing')
    // All spans in one turn, so no span can be sent in between.
    for (let i = 0; i < 20_000; i++) tracing.start('work').end()
    assert.is(kept.messages().filter((message) => message === 'Spans could not be exported.').length, 1)
  })
  assert.is(collector.spans.length, 8_192)
  const warning = log.records.find(({ message }) => message === 'Spans could not be exported.')
  assert.match((warning!.fields!['error'] as Error).message, 'later ones are dropped')
})

test('a missing collector does not fail a request and does not delay the stop', async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  let stopping = 0
  const log = await run(environment, async ({ get }) => {
    for (let i = 0; i < 100; i++) assert.is(await get('/health'), 200)
    stopping = performance.now()
  })
  assert.ok(performance.now() - stopping < 8_000)
  assert.not(log.messages().includes('A plugin did not stop.'))
})

test('the decoder of these tests decodes the collected requests', () => {
  interface Row {
    readonly name: string
    readonly spans?: number
    readonly protobuf_b64?: string
    readonly expect?: number
  }
  for (const { name, spans, protobuf_b64, expect } of collected<Row>('otlp/trace_requests.json'))
    if (expect !== 400 && protobuf_b64 !== undefined && spans !== undefined)
      assert.is(decodeSpans(Buffer.from(protobuf_b64, 'base64')).length, spans, name)
})

test.run()
