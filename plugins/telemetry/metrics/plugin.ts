/** Collects the metrics of all plugins, and shows them at `/metrics`. */

import type { MetricSpec } from '../../../core/declare/metric.ts'
import { documented } from '../../../core/documented.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { type RouteSpec, surfaceNames } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { Share } from '../../../core/process-slot.ts'
import type {} from '../capabilities.ts'
import type { Recorder } from './instruments.ts'
import { httpMetrics, ownMetrics } from './own-metrics.ts'
import { acquireRecorder } from './recorder.ts'
import { createTelemetry } from './telemetry.ts'

const metrics: RouteSpec = {
  surface: 'runtime',
  method: 'GET',
  path: '/metrics',
  auth: 'none',
  summary: documented('All metrics in the Prometheus text format.'),
}

const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

/** The metrics. */
export const plugin: Plugin = definePlugin({
  name: 'telemetry.metrics',
  feature: 'telemetry.metrics',
  provides: ['MetricSink', 'Telemetry'],
  metrics: { ...httpMetrics, ...ownMetrics },
  routes: [metrics],
  setup(ctx) {
    let recorder: Share<Recorder> | undefined
    let declared: readonly MetricSpec[] = []
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
    })
    ctx.provide('Telemetry', createTelemetry(ctx.metrics))
    ctx.route(metrics, async () => ({ status: 200, headers, body: (await recorder?.value.scrape()) ?? '' }))
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
  },
})
