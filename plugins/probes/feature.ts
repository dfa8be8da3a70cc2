/** Liveness and readiness: `/health`, `/healthz`, `/readyz`. */
import { described, documented } from '../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../core/declare/feature.ts'
import { gauge } from '../../core/declare/metric.ts'
import { readySchema, statusSchema } from '../../core/declare/operation.ts'
import { deprecated, dictionary, integer, type Setting } from '../../core/declare/settings.ts'
import { fixed, json } from '../../core/http/reply.ts'
import { isObject } from '../../core/kernel/values.ts'
import type { ReadinessCheck } from './api.ts'
import { contract } from './contract.ts'
import { ReadinessRegistry } from './readiness.ts'
import { ToolServerRegistry } from './tool-servers.ts'

declare module '../../core/declare/matrix.ts' {
  interface Features {
    probes: true
  }
}

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
const alwaysReported: readonly ReadinessCheck[] = ['persistence', 'memory'].map((name) => ({
  name,
  required: false,
  run: () => undefined,
}))

/** Feature `probes`. */
export const feature: FeatureValue<'probes'> = defineFeature({
  id: 'probes',
  about: described({
    at: import.meta.url,
    summary: 'Liveness and readiness probes',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    contract,
  }),
  provides: ['Readiness', 'ToolServers'],
  metrics: {
    ready: gauge('svc_ready', {
      unit: '1 or 0',
      help: 'Whether a check of /readyz passes; `all` is whether /readyz answers 200.',
      labels: ['check'],
    }),
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
    'probes.cache_ms': deprecated(
      integer({
        default: 1_000,
        max: 60_000,
        unit: 'ms',
        summary: documented('How long a readiness report is reused.'),
      }),
      documented('A probe a second sees every state; more often, the checks would be the load.'),
    ),
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
    ctx.provide('Readiness', registry)
    ctx.provide('ToolServers', tools)
    const state = {
      registry,
      profile: ctx.manifest.profile,
      stopping: false,
      // Created once, because liveness probes are frequent and their answer never changes.
      alive: fixed(json(200, { status: 'ok' }, { 'cache-control': 'no-store' })),
    }
    ctx.onStopping(() => {
      state.stopping = true
    })
    ctx.onReady(() => {
      registry.addMissing(alwaysReported)
      const { ready } = ctx.metrics
      ready.sample(async () => {
        const report = await registry.report()
        ready.set({ check: 'all' }, report.ready && !state.stopping ? 1 : 0)
        for (const [check, { status }] of Object.entries(report.checks)) ready.set({ check }, status === 'ok' ? 1 : 0)
      })
      tools.start()
    })
    ctx.onStop(() => tools.stop())
    return state
  },
  routes: (route) => [
    route('GET /health', {
      about: described({
        id: 'health',
        summary: 'Whether the process answers; checks no dependency.',
        answers: { 200: { description: 'Alive.', schema: statusSchema } },
      }),
      auth: 'none',
      handler: (_, { alive }) => alive,
    }),
    route('GET /healthz', {
      about: described({
        id: 'healthz',
        summary: 'The same as /health.',
        answers: { 200: { description: 'Alive.', schema: statusSchema } },
      }),
      auth: 'none',
      handler: (_, { alive }) => alive,
    }),
    route('GET /readyz', {
      about: described({
        id: 'readyz',
        summary: 'Whether the service can do its work.',
        answers: {
          200: { description: 'The service can do its work.', schema: readySchema },
          503: { description: 'A required check failed.', schema: readySchema },
        },
      }),
      auth: 'none',
      async handler(_, state) {
        const { ready: able, checks } = await state.registry.report()
        const ready = able && !state.stopping
        const status = ready ? 'ready' : 'unavailable'
        return json(ready ? 200 : 503, { status, profile: state.profile, checks }, { 'cache-control': 'no-store' })
      },
    }),
  ],
})

function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}
