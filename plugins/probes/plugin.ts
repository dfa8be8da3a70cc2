/** Liveness and readiness: `/health`, `/healthz`, `/readyz`. */
import { json, type Reply } from '../../core/http/reply.ts'
import type { RouteSpec } from '../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../core/plugin.ts'
import { integer } from '../../core/settings/kinds.ts'
import type {} from './api.ts'
import { ReadinessRegistry } from './readiness.ts'

const health: RouteSpec = {
  surface: 'runtime',
  method: 'GET',
  path: '/health',
  auth: 'none',
  summary: 'Whether the process answers; checks no dependency.',
}
const healthz: RouteSpec = { ...health, path: '/healthz', summary: 'The same as /health.' }
const readyz: RouteSpec = { ...health, path: '/readyz', summary: 'Whether the service can do its work.' }

/** The probes. */
export const plugin: Plugin = definePlugin({
  name: 'probes',
  feature: 'probes',
  provides: ['Readiness'],
  routes: [health, healthz, readyz],
  settings: {
    'probes.check_timeout_ms': integer({
      default: 500,
      min: 1,
      max: 60_000,
      unit: 'ms',
      summary: 'Longest time that one readiness check may take.',
    }),
    'probes.cache_ms': integer({
      default: 1_000,
      max: 60_000,
      unit: 'ms',
      summary: 'How long a readiness report is given again.',
    }),
  },
  setup(ctx) {
    const registry = new ReadinessRegistry({
      clock: ctx.clock,
      log: ctx.log,
      checkTimeoutMs: ctx.settings['probes.check_timeout_ms'],
      cacheMs: ctx.settings['probes.cache_ms'],
    })
    const { profile } = ctx.manifest
    // Made once: a liveness probe is asked for often and never changes.
    const alive = json(200, { status: 'ok' }, { 'cache-control': 'no-store' })
    const answerAlive = (): Reply => alive
    ctx.provide('Readiness', registry)
    ctx.route(health, answerAlive)
    ctx.route(healthz, answerAlive)
    ctx.route(readyz, async () => {
      const { ready, checks } = await registry.report()
      const status = ready ? 'ready' : 'unavailable'
      return json(ready ? 200 : 503, { status, profile, checks }, { 'cache-control': 'no-store' })
    })
  },
})
