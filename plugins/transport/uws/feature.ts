/** The runtime surface by uWebSockets.js, where it is asked for or known to be right. */
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { choice, flag, text } from '../../../core/declare/settings.ts'
import { serverSettings } from '../../../core/kernel/settings/server.ts'
import { type Case, defineContract, refusesSetting } from '../../../core/testing/contract.ts'
import { transportFail } from '../errors.ts'
import { refusalOf } from '../machine-check.ts'
import { createRefusals, refusedRequests } from '../refusals.ts'
import { listenSettings } from '../settings.ts'
import type {} from './capabilities.ts'
import { chooseAddon, loadSelected } from './choose-addon.ts'
import { isKnownRight } from './find-addon.ts'
import { serveUws } from './serve.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'transport.uws': true
  }
}

/** Feature `transport.uws`. */
export const feature: FeatureValue<'transport.uws', never, 'NativeServer'> = defineFeature({
  id: 'transport.uws',
  about: described({
    at: import.meta.url,
    summary: 'The runtime surface over HTTP/1.1, by uWebSockets.js where it is asked for',
    stability: 'stable',
    since: '0.1.0',
    requires: ['transport.node-http'],
    platform: 'node',
    externals: ['uWebSockets.js'],
    binaries: {
      'uws.node': {
        files: {
          'linux-x64': 'node_modules/uWebSockets.js/dist/bin/uws_linux_x64_{abi}.node',
          'linux-arm64': 'node_modules/uWebSockets.js/dist/bin/uws_linux_arm64_{abi}.node',
        },
        otherwise: 'node:http serves the runtime surface',
      },
    },
    uses: ['addon'],
    contract: defineContract({
      present: ['auto', 'uws', 'node'].map(
        (transport): Case => ({
          name: `with server.transport ${transport} the answers are the same`,
          given: { 'server.transport': transport },
          send: { path: '/health' },
          expect: {
            status: 200,
            headers: { 'content-type': 'application/json', 'content-length': '15', 'cache-control': 'no-store' },
            body: { status: 'ok' },
          },
        }),
      ),
      absent: [refusesSetting('server.transport', 'uws')],
    }),
  }),
  provides: ['NativeServer'],
  settings: {
    ...listenSettings,
    'server.trusted_proxies': serverSettings['server.trusted_proxies'],
    'server.transport': choice({
      default: 'auto',
      of: ['auto', 'uws', 'node'],
      summary: documented(
        'What serves the runtime surface; auto is uWebSockets.js if the version of its addon is known to be right, and node:http otherwise.',
      ),
    }),
    'server.uws_addon': text({
      default: '',
      summary: documented(
        'Path of an addon of uWebSockets.js, or of a folder of its package, in the place of the one that is installed or in the executable.',
      ),
    }),
    'server.uws_behind_proxy': flag({
      default: false,
      summary: documented(
        'Whether the proxies in server.trusted_proxies refuse malformed requests, which uWebSockets.js does not; needed with server.transport=uws.',
      ),
    }),
  },
  metrics: { refusals: refusedRequests },
  errors: transportFail,
  checkSettings: (settings) => {
    const proxied = settings['server.trusted_proxies'].length > 0
    if (settings['server.transport'] !== 'uws' || !proxied || settings['server.uws_behind_proxy']) return []
    return [
      {
        key: 'server.transport',
        message: 'uWebSockets.js can be led to serve a request that a proxy has not seen',
        hint: 'Set {server.transport}=node, or {server.uws_behind_proxy}=true where the proxy refuses header fields without a name.',
      },
    ]
  },
  async checkMachine(settings) {
    if (settings['server.mode'] === 'sync' || settings['server.transport'] !== 'uws') return []
    const refusal = await refusalOf('server.transport', () => loadSelected(settings))
    return refusal === undefined ? [] : [refusal]
  },
  setup(ctx) {
    const { settings, log, clock } = ctx
    const refused = createRefusals({ log, monotonic: clock.monotonic, ...ctx.metrics })
    let stopping = false
    ctx.onStopping(() => {
      stopping = true
    })
    ctx.provide('NativeServer', {
      open: async (surface, { host, port }) => {
        const chosen = await chooseAddon(settings, log)
        if (chosen === undefined) return undefined
        const { uws, version } = chosen
        log.info(cannot(version), { version, hint: documented('docs/transports.md lists the differences.') })
        const bodyTimeoutMs = settings['server.body_timeout_ms']
        return serveUws(uws, surface, { host, port, bodyTimeoutMs, stopping: () => stopping, clock, log, refused })
      },
    })
  },
})

/** What the log says once of an addon: what node:http does and uWebSockets.js does not. */
function cannot(version: string | null): string {
  const strict =
    'uWebSockets.js reads requests less strictly than node:http: it drops bytes from 0x80 on at the ends of header values, and does not see fields behind one without a name. It takes no chunked request bodies and no HTTP/1.0.'
  return isKnownRight(version)
    ? strict
    : `${strict} It may answer 505 to a request whose first line arrives in two pieces.`
}
