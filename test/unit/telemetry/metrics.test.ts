import { spawnSync } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { counter, gauge, histogram, instrumentsOf, metricsOf } from '../../../core/declare/metric.ts'
import { createInstruments, type Recorder } from '../../../plugins/telemetry/metrics/instruments.ts'
import { printRegistries } from '../../../plugins/telemetry/metrics/loaded-recorder.ts'
import { httpMetrics, ownMetrics } from '../../../plugins/telemetry/metrics/own-metrics.ts'
import { acquireRecorder } from '../../../plugins/telemetry/metrics/recorder.ts'
import { skip } from '../../support/skip.ts'
import { fillFamilies, ownInstruments, telemetryOn } from './fill-families.ts'
import { hasProgram } from './programs.ts'

const pause = (): Promise<void> => turn()
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

async function withRecorder(use: (recorder: Recorder) => Promise<void>): Promise<void> {
  const recorder = acquireRecorder()!
  try {
    await use(recorder.value)
  } finally {
    recorder.release()
  }
}

test('a scrape shows every metric of the plugin, filled through the capability', async () => {
  await withRecorder(async (recorder) => {
    fillFamilies(telemetryOn(recorder.instruments))
    recorder.instruments.http('GET', '/health', 200, 0.003)
    ownInstruments(recorder.instruments).build.set({ version: '1.0.0', profile: 'minimal', commit: 'unknown' }, 1)
    const text = decode(await recorder.scrape())
    for (const { name, type } of metricsOf([{ metrics: { ...httpMetrics, ...ownMetrics } }])) {
      const sample = type === 'histogram' ? `${name}_count` : name
      assert.match(text, new RegExp(`^${sample}(\\{[^}]*\\})? [0-9]`, 'm'), name)
    }
    assert.match(text, 'svc_llm_call_duration_seconds_bucket{le="2.5",provider="acme",model="large"} 1\n')
    assert.match(text, 'svc_active_sessions 1\n')
    assert.match(text, 'process_cpu_seconds_total ')
  })
})

const checked = 'a scrape with every family filled passes promtool'
if (!hasProgram('promtool')) skip(test, checked, 'no promtool on this machine')
else {
  test(checked, async () => {
    await withRecorder(async (recorder) => {
      fillFamilies(telemetryOn(recorder.instruments))
      recorder.instruments.http('GET', '/health', 200, 0.003)
      const tool = spawnSync('promtool', ['check', 'metrics'], { input: await recorder.scrape(), encoding: 'utf8' })
      assert.is(tool.status, 0, `${tool.stdout}${tool.stderr}`)
    })
  })
}

test('the printed text equals the text of prom-client', async () => {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  fillFamilies(telemetryOn(instruments))
  ownInstruments(instruments).toolResults.add({ tool: 'a "quoted"\\\nname', outcome: 'é' }, 3)
  const odd = new Gauge({ name: 'odd', help: 'line\nbreak \\', labelNames: ['x'], registers: [registry] })
  odd.set({ x: 'inf' }, Number.POSITIVE_INFINITY)
  odd.set({ x: 'tiny' }, 1e-9)
  const theirs = (await registry.metrics()).replace(/\n\n/g, '\n')
  const sorted = (text: string): string[] => text.replace(/\{([^}]*)\}/g, sortLabels).split('\n')
  assert.equal(sorted(decode(await printRegistries([registry], pause))), sorted(theirs))
})

/** prom-client puts `le` first; the order of labels has no meaning. */
function sortLabels(_: string, labels: string): string {
  return `{${labels
    .split(/,(?=[a-z]+=")/)
    .sort()
    .join(',')}}`
}

// The library prints a family in one step, so other work can only run between two families.
test('other work runs after each family that takes longer than 2 ms to print', async () => {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  const { toolResults } = ownInstruments(instruments)
  for (let tool = 0; tool < 200; tool++) {
    for (let outcome = 0; outcome < 50; outcome++) {
      toolResults.add({ tool: `tool-${tool}`, outcome: `outcome-${outcome}` })
    }
    for (let status = 200; status < 203; status++) instruments.http('GET', `/route/${tool}`, status, 0.01)
  }
  const steps: { readonly name: string; readonly ms: number }[] = []
  const print = registry.getSingleMetricAsString.bind(registry)
  registry.getSingleMetricAsString = async (name) => {
    const began = performance.now()
    const text = await print(name)
    steps.push({ name, ms: performance.now() - began })
    return text
  }
  const paused = new Set<string>()
  const bytes = await printRegistries([registry], async () => {
    paused.add(steps.at(-1)!.name)
    await turn()
  })
  const lines = decode(bytes).split('\n')
  assert.is(lines.filter((line) => line.startsWith('svc_tool_results_total{')).length, 10_000)
  assert.is(lines.filter((line) => line.startsWith('svc_http_request_duration_seconds')).length, 600 * 17)
  const long = steps.filter(({ ms }) => ms > 2).map(({ name }) => name)
  for (const name of ['svc_tool_results_total', 'svc_http_request_duration_seconds'])
    assert.ok(long.includes(name), name)
  assert.equal(
    long.filter((name) => !paused.has(name)),
    [],
  )
})

test('a series that has begun is 0, and beginning it again keeps what was recorded', async () => {
  await withRecorder(async (recorder) => {
    const table = {
      appends: counter('test_appends_total', { unit: 'appends', help: 'Appends.', labels: ['outcome'] }),
      seconds: histogram('test_append_seconds', { unit: 's', help: 'Time.', labels: ['outcome'], buckets: [1] }),
    }
    recorder.instruments.declare(metricsOf([{ metrics: table }]))
    const { appends, seconds } = instrumentsOf(table, () => recorder.instruments)
    const labels = { outcome: 'written' }
    const begin = (): void => {
      appends.begin(labels)
      seconds.begin(labels)
    }
    const samples = async (): Promise<string[]> =>
      decode(await recorder.scrape())
        .split('\n')
        .filter((line) => /^test_append(s_total|_seconds_(count|sum))\{/.test(line))
        .map((line) => line.replace(/\{.*\}/, ''))
        .sort()
    begin()
    const named = ['test_append_seconds_count', 'test_append_seconds_sum']
    assert.equal(await samples(), [`${named[0]} 0`, `${named[1]} 0`, 'test_appends_total 0'])
    appends.add(labels)
    seconds.observe(labels, 0.25)
    // Another runtime of the process begins.
    begin()
    assert.equal(await samples(), [`${named[0]} 1`, `${named[1]} 0.25`, 'test_appends_total 1'])
  })
})

test('no label has more than 200 values, then `other`, and values are cut to a length', async () => {
  await withRecorder(async ({ instruments, scrape }) => {
    const { skillActivations, providerUp } = ownInstruments(instruments)
    for (let i = 0; i < 10_000; i++) skillActivations.add({ skill: `skill-${i}` })
    for (let i = 0; i < 10_000; i++) instruments.http(`M${i}`, `/path/${i}`, 200, 0)
    providerUp.set({ provider: 'x'.repeat(10_000) }, 1)
    providerUp.set({ provider: 'x'.repeat(10_001) }, 0)
    const text = decode(await scrape())
    const lines = text.split('\n')
    const skills = lines.filter((line) => line.startsWith('svc_skill_activations_total{'))
    assert.is(skills.length, 201)
    assert.ok(skills.includes('svc_skill_activations_total{skill="other"} 9800'))
    const paths = lines.filter((line) => line.startsWith('svc_http_requests_total{'))
    assert.is(paths.length, 201)
    assert.ok(paths.every((line) => line.includes('method="_OTHER"')))
    assert.is(lines.filter((line) => line.startsWith('svc_provider_up{')).length, 1)
    assert.ok(lines.every((line) => line.length < 1_000))
  })
})

test('a value that a metric cannot record is left out, and nothing throws', async () => {
  await withRecorder(async ({ instruments, scrape }) => {
    const { sandboxErrors, sycophancy, evaluation } = ownInstruments(instruments)
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) sandboxErrors.add({ kind: 'x' }, bad)
    for (const bad of [Number.NaN, Number.NEGATIVE_INFINITY]) {
      sycophancy.observe({}, bad)
      evaluation.set({ suite: 'x' }, bad)
    }
    const undeclared = gauge('test_undeclared', { unit: '1', help: 'Nobody declares it.' })
    instrumentsOf({ undeclared }, () => instruments).undeclared.set({}, 1)
    const text = decode(await scrape())
    assert.not.match(text, 'svc_sandbox_errors_total{')
    assert.match(text, 'svc_sycophancy_score_count 0\n')
    assert.not.match(text, 'svc_evaluation_score{')
    assert.not.match(text, 'test_undeclared')
  })
})

test('instruments without a sink do nothing and say so', () => {
  const { sycophancy } = instrumentsOf(ownMetrics, () => undefined)
  assert.is(sycophancy.enabled, false)
  sycophancy.observe({}, 1)
  sycophancy.begin({})
})

test('overlapping scrapes share one result', async () => {
  await withRecorder(async ({ scrape }) => {
    const [a, b] = await Promise.all([scrape(), scrape()])
    assert.is(a, b)
  })
})

test.run()
