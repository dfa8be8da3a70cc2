/** Liveness and readiness: `/health`, `/healthz`, `/readyz`. */

import { gauge } from '../../core/declare/metric.ts'
import { documented } from '../../core/documented.ts'
import { fixed, json, type Reply } from '../../core/http/reply.ts'
import type { RouteSpec } from '../../core/http/route.ts'
import { isObject } from '../../core/is-object.ts'
import { definePlugin, type Plugin } from '../../core/plugin.ts'
import { dictionary, integer, type Setting } from '../../core/settings/kinds.ts'
import type { ReadinessCheck } from './api.ts'
import { ReadinessRegistry } from './readiness.ts'
import { ToolServerRegistry } from './tool-servers.ts'

const health: RouteSpec = {
  surface: 'runtime',
  method: 'GET',
  path: '/health',
  auth: 'none',
  summary: documented('Whether the process answers; checks no dependency.'),
}
const healthz: RouteSpec = { ...health, path: '/healthz', summary: documented('The same as /health.') }
const readyz: RouteSpec = { ...health, path: '/readyz', summary: documented('Whether the service can do its work.') }

const servers: Setting<Readonly<Record<string, string>>> = {
  ...dictionary({
    default: {},
    summary: documented('Addresses of the tool servers by name; each is asked in the background.'),
  }),
  expected: 'an object of http or https addresses, without credentials, by name',
  read: (input) => {
    return isObject(input) && Object.values(input).every(isAddress) ? (input as Record<string, string>) : undefined
  },
}

/** Checks that are in every report, even if no plugin adds a check with that name. */
const placeholderChecks: readonly ReadinessCheck[] = ['persistence', 'memory'].map((name) => ({
  name,
  required: false,
  run: () => undefined,
}))

/** The probes. */
export const plugin: Plugin = definePlugin({
  name: 'probes',
  feature: 'probes',
  provides: ['Readiness', 'ToolServers'],
  routes: [health, healthz, readyz],
  metrics: {
    toolServerUp: gauge('svc_tool_server_up', {
      unit: '1 or 0',
      help: 'Whether a tool server answers.',
      labels: ['server'],
    }),
  },
  settings: {
    'probes.check_timeout_ms': integer({
      default: 500,
      min: 1,
      max: 60_000,
      unit: 'ms',
      summary: documented('Longest time that one readiness check may take.'),
    }),
    'probes.cache_ms': integer({
      default: 1_000,
      max: 60_000,
      unit: 'ms',
      summary: documented('How long a readiness report is reused.'),
    }),
    'tools.servers': servers,
    'tools.check_interval_ms': integer({
      default: 15_000,
      min: 100,
      max: 3_600_000,
      unit: 'ms',
      summary: documented('Time between two rounds of asking the tool servers.'),
    }),
    'tools.check_timeout_ms': integer({
      default: 2_000,
      min: 1,
      max: 60_000,
      unit: 'ms',
      summary: documented('Longest time that a tool server may take to answer.'),
    }),
  },
  setup(ctx) {
    const registry = new ReadinessRegistry({
      clock: ctx.clock,
      log: ctx.log,
      checkTimeoutMs: ctx.settings['probes.check_timeout_ms'],
      cacheMs: ctx.settings['probes.cache_ms'],
    })
    const tools = new ToolServerRegistry({
      servers: ctx.settings['tools.servers'],
      clock: ctx.clock,
      log: ctx.log.child('tools'),
      intervalMs: ctx.settings['tools.check_interval_ms'],
      timeoutMs: ctx.settings['tools.check_timeout_ms'],
      onResult: (server, up) => ctx.metrics.toolServerUp.set({ server }, up ? 1 : 0),
      fetch: (url, init) => fetch(url, init),
    })
    registry.add({ name: 'tool_servers', required: false, run: () => tools.check() })
    const { profile } = ctx.manifest
    // Created once, because liveness probes are frequent and their answer never changes.
    const alive = fixed(json(200, { status: 'ok' }, { 'cache-control': 'no-store' }))
    const answerAlive = (): Reply => alive
    ctx.provide('Readiness', registry)
    ctx.provide('ToolServers', tools)
    ctx.route(health, answerAlive)
    ctx.route(healthz, answerAlive)
    let stopping = false
    ctx.onStopping(() => {
      stopping = true
    })
    ctx.route(readyz, async () => {
      const { ready: able, checks } = await registry.report()
      const ready = able && !stopping
      const status = ready ? 'ready' : 'unavailable'
      return json(ready ? 200 : 503, { status, profile, checks }, { 'cache-control': 'no-store' })
    })
    ctx.onReady(() => {
      registry.addMissing(placeholderChecks)
      tools.start()
    })
    ctx.onStop(() => tools.stop())
  },
})

function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}
