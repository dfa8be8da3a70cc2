import { spawnSync } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printRegistries } from '../../../plugins/telemetry/metrics/exposition.ts'
import { families } from '../../../plugins/telemetry/metrics/families.ts'
import type { Recorder } from '../../../plugins/telemetry/metrics/instruments.ts'
import { createInstruments } from '../../../plugins/telemetry/metrics/instruments.ts'
import { acquireRecorder } from '../../../plugins/telemetry/metrics/recorder.ts'
import { createTelemetry } from '../../../plugins/telemetry/metrics/telemetry.ts'
import { skip } from '../../support/skip.ts'
import { fillFamilies } from './fill-families.ts'
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

test('a scrape shows every family, filled through the capability', async () => {
  await withRecorder(async (recorder) => {
    fillFamilies(createTelemetry(() => recorder.instruments))
    recorder.instruments.http('GET', '/health', 200, 0.003)
    recorder.instruments.record('svc_build_info', { version: '1.0.0', profile: 'minimal', commit: 'unknown' }, 1)
    const text = decode(await recorder.scrape())
    for (const [name, { type }] of Object.entries(families)) {
      const sample = type === 'histogram' ? `${name}_count` : name
      assert.match(text, new RegExp(`^${sample}(\\{[^}]*\\})? [0-9]`, 'm'), name)
    }
    assert.match(text, 'svc_llm_call_duration_seconds_bucket{le="2.5",provider="acme",model="large"} 1\n')
    assert.match(text, 'svc_active_sessions 1\n')
    assert.match(text, 'svc_sse_dropped_events_total{stream="live"} 7\n')
    assert.match(text, 'process_cpu_seconds_total ')
  })
})

const checked = 'a scrape with every family filled passes promtool'
if (!hasProgram('promtool')) skip(test, checked, 'no promtool on this machine')
else {
  test(checked, async () => {
    await withRecorder(async (recorder) => {
      fillFamilies(createTelemetry(() => recorder.instruments))
      recorder.instruments.http('GET', '/health', 200, 0.003)
      const tool = spawnSync('promtool', ['check', 'metrics'], { input: await recorder.scrape(), encoding: 'utf8' })
      assert.is(tool.status, 0, `${tool.stdout}${tool.stderr}`)
    })
  })
}

test('the printed text equals the text of prom-client', async () => {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  fillFamilies(createTelemetry(() => instruments))
  instruments.record('svc_tool_results_total', { tool: 'a "quoted"\\\nname', outcome: 'é' }, 3)
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
  for (let tool = 0; tool < 200; tool++) {
    for (let outcome = 0; outcome < 50; outcome++) {
      instruments.record('svc_tool_results_total', { tool: `tool-${tool}`, outcome: `outcome-${outcome}` }, 1)
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
    const labels = { outcome: 'written' }
    const begin = (): void => {
      recorder.instruments.begin('svc_cluster_run_appends_total', labels)
      recorder.instruments.begin('svc_cluster_run_append_duration_seconds', labels)
    }
    const samples = async (): Promise<string[]> =>
      decode(await recorder.scrape())
        .split('\n')
        .filter((line) => /^svc_cluster_run_append(s_total|_duration_seconds_(count|sum))\{/.test(line))
        .map((line) => line.replace(/\{.*\}/, ''))
        .sort()
    begin()
    const named = ['svc_cluster_run_append_duration_seconds_count', 'svc_cluster_run_append_duration_seconds_sum']
    assert.equal(await samples(), [`${named[0]} 0`, `${named[1]} 0`, 'svc_cluster_run_appends_total 0'])
    recorder.instruments.record('svc_cluster_run_appends_total', labels, 1)
    recorder.instruments.record('svc_cluster_run_append_duration_seconds', labels, 0.25)
    // Another runtime of the process begins.
    begin()
    assert.equal(await samples(), [`${named[0]} 1`, `${named[1]} 0.25`, 'svc_cluster_run_appends_total 1'])
  })
})

test('no label has more than 200 values, then `other`, and values are cut to a length', async () => {
  await withRecorder(async ({ instruments, scrape }) => {
    for (let i = 0; i < 10_000; i++) instruments.record('svc_skill_activations_total', { skill: `skill-${i}` }, 1)
    for (let i = 0; i < 10_000; i++) instruments.http(`M${i}`, `/path/${i}`, 200, 0)
    instruments.record('svc_tool_server_up', { server: 'x'.repeat(10_000) }, 1)
    instruments.record('svc_tool_server_up', { server: 'x'.repeat(10_001) }, 0)
    const text = decode(await scrape())
    const lines = text.split('\n')
    const skills = lines.filter((line) => line.startsWith('svc_skill_activations_total{'))
    assert.is(skills.length, 201)
    assert.ok(skills.includes('svc_skill_activations_total{skill="other"} 9800'))
    const paths = lines.filter((line) => line.startsWith('svc_http_requests_total{'))
    assert.is(paths.length, 201)
    assert.ok(paths.every((line) => line.includes('method="_OTHER"')))
    assert.is(lines.filter((line) => line.startsWith('svc_tool_server_up{')).length, 1)
    assert.ok(lines.every((line) => line.length < 1_000))
  })
})

test('a value that a family cannot record is left out, and nothing throws', async () => {
  await withRecorder(async ({ instruments, scrape }) => {
    const telemetry = createTelemetry(() => instruments)
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) telemetry.sseDropped('run', bad)
    for (const bad of [Number.NaN, Number.NEGATIVE_INFINITY]) {
      telemetry.sycophancy(bad)
      telemetry.evaluation('x', bad)
    }
    createTelemetry(() => undefined).sycophancy(1)
    const text = decode(await scrape())
    assert.not.match(text, 'svc_sse_dropped_events_total{')
    assert.match(text, 'svc_sycophancy_score_count 0\n')
    assert.not.match(text, 'svc_evaluation_score{')
  })
})

test('a stream that opens begins the counter of its dropped events', async () => {
  await withRecorder(async (recorder) => {
    const telemetry = createTelemetry(() => recorder.instruments)
    telemetry.sseConnections('live', 1)
    assert.match(decode(await recorder.scrape()), 'svc_sse_dropped_events_total{stream="live"} 0\n')
    telemetry.sseDropped('live', 2)
    telemetry.sseConnections('live', -1)
    assert.match(decode(await recorder.scrape()), 'svc_sse_dropped_events_total{stream="live"} 2\n')
  })
})

test('overlapping scrapes share one result', async () => {
  await withRecorder(async ({ scrape }) => {
    const [a, b] = await Promise.all([scrape(), scrape()])
    assert.is(a, b)
  })
})

test.run()
