/** The runtime surface on a TCP listener, and node:http for plugins that listen themselves. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { type Case, defineContract, refusesSetting } from '../../../core/testing/contract.ts'
import { transportFail } from '../errors.ts'
import { refusalOfAddress } from '../machine-check.ts'
import { createRefusals, refusedRequests } from '../refusals.ts'
import { listenSettings } from '../settings.ts'
import type {} from '../tls/capabilities.ts'
import type {} from '../uws/capabilities.ts'
import type { HttpServer, Listener } from './api.ts'
import type {} from './capabilities.ts'
import { serve } from './serve.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'transport.node-http': true
  }
}

/** Feature `transport.node-http`. */
export const feature: FeatureValue<'transport.node-http', never, 'HttpServer'> = defineFeature({
  id: 'transport.node-http',
  about: described({
    at: import.meta.url,
    summary: 'The runtime surface over HTTP/1.1, by node:http',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    contract: defineContract({
      present: [
        {
          name: 'every answer names its length or is chunked',
          send: { path: '/health' },
          expect: { status: 200, headers: { 'content-length': /^\d+$/, 'transfer-encoding': null } },
        },
        ...['PUT', 'DELETE', 'OPTIONS', 'PROPFIND'].map(
          (method): Case => ({
            name: `${method} /health is refused with the methods that are allowed`,
            send: { method, path: '/health' },
            expect: { status: 405, headers: { allow: 'GET, HEAD' } },
          }),
        ),
        {
          name: 'a body that a route does not read is not taken for a request',
          send: { method: 'POST', path: '/health', body: 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n' },
          expect: { status: 405, body: { error: { code: 'method_not_allowed' } } },
        },
      ],
      absent: [refusesSetting('server.port', 8080)],
    }),
  }),
  provides: ['HttpServer'],
  needs: { NativeServer: 'optional', SecureServer: 'optional' },
  settings: listenSettings,
  metrics: { refusals: refusedRequests },
  errors: transportFail,
  async checkMachine(settings) {
    if (settings['server.mode'] === 'sync') return []
    const address = { host: settings['server.host'], port: settings['server.port'] }
    const refusal = await refusalOfAddress('server.port', address)
    return refusal === undefined ? [] : [refusal]
  },
  setup(ctx) {
    const { settings, log } = ctx
    const refused = createRefusals({ log, monotonic: ctx.clock.monotonic, ...ctx.metrics })
    let stopping = false
    ctx.onStopping(() => {
      stopping = true
    })
    const http: HttpServer = {
      mode: settings['server.mode'],
      serve: (surface, options) =>
        serve(surface, options, {
          maxHeaderBytes: settings['server.max_header_bytes'],
          headerTimeoutMs: settings['server.header_timeout_ms'],
          bodyTimeoutMs: settings['server.body_timeout_ms'],
          idleTimeoutMs: settings['server.idle_timeout_ms'],
          monotonic: ctx.clock.monotonic,
          stopping: () => stopping,
          log,
          refused,
        }),
    }
    ctx.provide('HttpServer', http)
    if (settings['server.mode'] === 'sync') return

    let listener: Listener | undefined
    ctx.onReady(async () => {
      const address = { host: settings['server.host'], port: settings['server.port'] }
      const surface = ctx.surface('runtime')
      const incoming = ctx.get('SecureServer')?.incoming(address)
      const native = incoming === undefined ? await ctx.get('NativeServer')?.open(surface, address) : undefined
      listener = native ?? (await http.serve(surface, { address: incoming === undefined ? address : { incoming } }))
      const transport = native === undefined ? 'node' : 'uws'
      log.info('Listening.', { address: listener.address, transport, ...(incoming !== undefined && { tls: true }) })
    })
    ctx.onDrain(() => listener?.drain())
    ctx.onStop(() => listener?.close())
  },
})
