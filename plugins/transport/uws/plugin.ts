/** The runtime surface by uWebSockets.js, where it is asked for. */

import { documented } from '../../../core/documented.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { choice, flag, text } from '../../../core/settings/kinds.ts'
import type {} from '../../telemetry/capabilities.ts'
import { transportFail } from '../errors.ts'
import { createRefusals } from '../refusals.ts'
import { listenSettings } from '../settings.ts'
import type {} from './capabilities.ts'
import { loadAddon } from './load-addon.ts'
import { serveUws } from './serve.ts'

/** Time limits that are constants of the library. */
const fixed = ['server.header_timeout_ms', 'server.idle_timeout_ms'] as const

/** The uWebSockets.js transport. It takes the runtime surface over from node:http, or leaves it there. */
export const plugin: Plugin = definePlugin({
  name: 'transport.uws',
  feature: 'transport.uws',
  wants: ['Telemetry'],
  provides: ['NativeServer'],
  settings: {
    ...listenSettings,
    'server.transport': choice({
      default: 'auto',
      of: ['auto', 'uws', 'node'],
      summary: documented('What serves the runtime surface; auto is node:http.'),
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
  errors: transportFail,
  checkSettings: (settings, all) => {
    const proxies = all['server.trusted_proxies'] as readonly string[]
    if (settings['server.transport'] !== 'uws' || proxies.length === 0 || settings['server.uws_behind_proxy']) return []
    return [
      {
        key: 'server.transport',
        message: 'uWebSockets.js can be led to serve a request that a proxy has not seen',
        hint: 'Set SVC_SERVER__TRANSPORT=node, or SVC_SERVER__UWS_BEHIND_PROXY=true where the proxy refuses header fields without a name.',
      },
    ]
  },
  setup(ctx) {
    const { settings, log, clock } = ctx
    const refused = createRefusals({ log, monotonic: clock.monotonic, count: ctx.find('Telemetry')?.httpRefused })
    ctx.provide('NativeServer', {
      open: async (surface, { host, port }) => {
        // `auto` does not choose it. No version is known to read requests as strictly as node:http, and this package's own refuses
        // one whose first line arrives in two pieces that break at the wrong place.
        if (settings['server.transport'] !== 'uws') return undefined
        const unable = fixed.find((key) => settings[key] !== listenSettings[key].default)
        if (unable !== undefined) {
          const { default: value, unit } = listenSettings[unable]
          throw transportFail('ERR_UWS_UNAVAILABLE', {
            message: `uWebSockets.js has ${unable} fixed at ${value} ${unit}.`,
            hint: `Leave ${unable} at its default, or set server.transport to node.`,
          })
        }
        const { uws, version } = await loadAddon({
          maxHeaderBytes: settings['server.max_header_bytes'],
          path: settings['server.uws_addon'],
        })
        log.info(
          'uWebSockets.js reads requests less strictly than node:http: it drops bytes from 0x80 on at the ends of header values, and does not see fields behind one without a name.',
          { version, hint: documented('docs/transports.md lists the differences.') },
        )
        const bodyTimeoutMs = settings['server.body_timeout_ms']
        return serveUws(uws, surface, { host, port, bodyTimeoutMs, clock, log, refused })
      },
    })
  },
})
