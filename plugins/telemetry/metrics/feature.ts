/** Collects the metrics of all plugins, and shows them at `/metrics`. */
import type { Awaitable } from '../../../core/awaitable.ts'
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type { MetricSpec } from '../../../core/declare/metric.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { surfaceNames } from '../../../core/http/route.ts'
import { refusal } from '../../../core/operation.ts'
import type { Share } from '../../../core/process-slot.ts'
import { contract } from './contract.ts'
import type { Recorder } from './instruments.ts'
import { httpMetrics, ownMetrics } from './own-metrics.ts'
import { acquireRecorder } from './recorder.ts'
import { createTelemetry } from './telemetry.ts'

declare module '../../../core/feature.ts' {
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
