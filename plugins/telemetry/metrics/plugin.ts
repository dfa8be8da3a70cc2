/** Metrics: all families of the service, at `/metrics`. */

import { documented } from '../../../core/documented.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { type RouteSpec, surfaceNames } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { Share } from '../../../core/process-slot.ts'
import type {} from '../capabilities.ts'
import type { Recorder } from './instruments.ts'
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
  provides: ['Telemetry'],
  routes: [metrics],
  setup(ctx) {
    let recorder: Share<Recorder> | undefined
    const hook: Hook = {
      onReply: ({ method, route }, { status }, durationMs) =>
        recorder?.value.instruments.http(method, route, status, durationMs / 1_000),
    }
    for (const name of surfaceNames) ctx.hook(name, hook)
    ctx.provide(
      'Telemetry',
      createTelemetry(() => recorder?.value.instruments),
    )
    ctx.route(metrics, async () => ({ status: 200, headers, body: (await recorder?.value.scrape()) ?? '' }))
    ctx.onStart(() => {
      recorder = acquireRecorder()
      if (recorder === undefined) ctx.log.warn('Another component owns the metrics recorder: /metrics stays empty.')
      const { version, profile, commit = 'unknown' } = ctx.manifest
      recorder?.value.instruments.record('svc_build_info', { version, profile, commit }, 1)
    })
    ctx.onStop(() => {
      recorder?.release()
      recorder = undefined
    })
  },
})
