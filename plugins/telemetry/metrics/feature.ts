/** Collects the metrics of all plugins, and shows them at `/metrics`. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type { InstrumentsOf, MetricSpec } from '../../../core/declare/metric.ts'
import { refusal } from '../../../core/declare/operation.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { surfaceNames } from '../../../core/http/route.ts'
import type { Share } from '../../../core/kernel/process-slot.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { Telemetry } from '../api.ts'
import { contract } from './contract.ts'
import type { Recorder } from './instruments.ts'
import { httpMetrics, ownMetrics } from './own-metrics.ts'
import { acquireRecorder } from './recorder.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'telemetry.metrics': true
  }
}

const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

/** Feature `telemetry.metrics`. */
export const feature: FeatureValue<'telemetry.metrics'> = defineFeature({
  id: 'telemetry.metrics',
  about: described({
    at: import.meta.url,
    summary: 'Metrics in the Prometheus text format, and the capability that records them',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    packages: ['prom-client', 'tdigest', 'bintrees', '@opentelemetry/api'],
    uses: ['spawn'],
    contract,
  }),
  provides: ['MetricSink', 'Telemetry'],
  metrics: { ...httpMetrics, ...ownMetrics },
  setup(ctx) {
    let recorder: Share<Recorder> | undefined
    let declared: readonly MetricSpec[] = []
    const samples: (() => Awaitable<void>)[] = []
    const sampleAll = async (): Promise<void> => {
      const done = await Promise.allSettled(samples.map(async (run) => run()))
      for (const one of done)
        if (one.status === 'rejected') ctx.log.warn('A metric could not be measured.', { error: one.reason })
    }
    const hook: Hook = {
      onReply: ({ method, route }, { status }, durationMs) =>
        recorder?.value.instruments.http(method, route, status, durationMs / 1_000),
    }
    for (const name of surfaceNames) ctx.hook(name, hook)
    ctx.provide('MetricSink', {
      declare: (metrics) => void (declared = metrics),
      record: (metric, labels, value) => recorder?.value.instruments.record(metric, labels, value),
      move: (metric, labels, change) => recorder?.value.instruments.move(metric, labels, change),
      begin: (metric, labels) => recorder?.value.instruments.begin(metric, labels),
      sample: (run) => void samples.push(run),
    })
    ctx.provide('Telemetry', createTelemetry(ctx.metrics))
    ctx.onStart(() => {
      recorder = acquireRecorder()
      if (recorder === undefined) ctx.log.warn('Another component owns the metrics recorder: /metrics stays empty.')
      recorder?.value.instruments.declare(declared)
      const { version, profile, commit = 'unknown' } = ctx.manifest
      ctx.metrics.build.set({ version, profile, commit }, 1)
    })
    ctx.onStop(() => {
      recorder?.release()
      recorder = undefined
    })
    return async () => {
      await sampleAll()
      return (await recorder?.value.scrape()) ?? ''
    }
  },
  routes: (route) => [
    route('GET /metrics', {
      about: described({
        id: 'metrics',
        summary: 'All metrics in the Prometheus text format.',
        answers: {
          200: { description: 'The Prometheus text format, possibly empty.', media: 'text/plain' },
          404: { ...refusal('not_found'), description: 'A profile without metrics, such as `minimal`: `not_found`.' },
        },
      }),
      auth: 'none',
      handler: async (_, scrape) => ({ status: 200, headers, body: await scrape() }),
    }),
  ],
})

/** Creates the capability on the instruments of its plugin. */
export function createTelemetry(metrics: InstrumentsOf<typeof ownMetrics>): Telemetry {
  return {
    llmCall: ({ provider, model, ...call }) => {
      const labels = { provider, model }
      metrics.llmSeconds.observe(labels, call.durationSeconds)
      if (call.costUsd !== undefined) metrics.llmCost.add(labels, call.costUsd)
      if (call.inputTokens !== undefined) metrics.inputTokens.add(labels, call.inputTokens)
      if (call.outputTokens !== undefined) metrics.outputTokens.add(labels, call.outputTokens)
      if (call.cacheReadTokens !== undefined) metrics.cacheReadTokens.add(labels, call.cacheReadTokens)
      if (call.cacheWriteTokens !== undefined) metrics.cacheWriteTokens.add(labels, call.cacheWriteTokens)
    },
    providerUp: (provider, up) => metrics.providerUp.set({ provider }, up ? 1 : 0),
    toolResult: (tool, outcome) => metrics.toolResults.add({ tool, outcome }),
    sessions: (change) => metrics.sessions.move({}, change),
    sandboxActivity: (action) => metrics.sandboxActivity.add({ action }),
    sandboxError: (kind) => metrics.sandboxErrors.add({ kind }),
    guardrail: (guardrail, verdict) => metrics.guardrails.add({ guardrail, verdict }),
    sycophancy: (score) => metrics.sycophancy.observe({}, score),
    evaluation: (suite, score) => metrics.evaluation.set({ suite }, score),
    evaluationRegression: (suite) => metrics.regressions.add({ suite }),
    skillActivated: (skill) => metrics.skillActivations.add({ skill }),
    skillOutcome: (skill, outcome) => metrics.skillOutcomes.add({ skill, outcome }),
  }
}
