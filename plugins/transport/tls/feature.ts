/** The runtime surface over TLS, where a certificate is configured. */
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { gauge } from '../../../core/declare/metric.ts'
import { reloadable, type Setting, text } from '../../../core/declare/settings.ts'
import { defineContract, refusesSetting } from '../../../core/testing/contract.ts'
import { transportFail } from '../errors.ts'
import { refusalOf } from '../machine-check.ts'
import { listenSettings } from '../settings.ts'
import type {} from './capabilities.ts'
import { type KeyPair, type KeyPairFiles, readKeyPair } from './key-pair.ts'
import { createTlsListener } from './listener.ts'

/** The path of a file whose contents are read again without a restart. */
function pemFile(summary: string | undefined): Setting<string | null> {
  return reloadable(text({ default: null, expected: 'the path of a file', summary }), 'contents')
}

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'transport.tls': true
  }
}

/** Feature `transport.tls`. */
export const feature: FeatureValue<'transport.tls', never, 'SecureServer'> = defineFeature({
  id: 'transport.tls',
  about: described({
    at: import.meta.url,
    summary: 'The runtime surface over TLS 1.2 and 1.3, with a certificate that is renewed while it runs',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['transport.node-http'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    contract: defineContract({
      present: [
        {
          name: 'a certificate without its key ends the start with 78 and names both settings',
          given: { 'server.tls.cert': '/etc/ssl/svc.crt' },
          command: [],
          exits: { code: 78, stderr: /SVC_SERVER__TLS__CERT: needs server\.tls\.key/ },
        },
        {
          name: 'a certificate that cannot be read ends the start with 78 and names the file',
          given: { 'server.tls.cert': '/nowhere/svc.crt', 'server.tls.key': '/nowhere/svc.key' },
          command: [],
          exits: { code: 78, stderr: /server\.tls\.cert.*\/nowhere\/svc\.crt cannot be read/ },
        },
      ],
      absent: [refusesSetting('server.tls.cert', '/etc/ssl/svc.crt')],
    }),
  }),
  provides: ['SecureServer'],
  metrics: {
    ends: gauge('svc_tls_certificate_end_seconds', {
      unit: 'seconds since 1970',
      help: 'When the TLS certificate of a surface ends.',
      labels: ['surface'],
    }),
  },
  settings: {
    ...listenSettings,
    'server.tls.cert': pemFile(
      documented(
        'Certificate of the runtime surface and those between it and the root, a PEM file, read again when it changes and on SIGHUP; null for HTTP.',
      ),
    ),
    'server.tls.key': pemFile(documented('Private key of server.tls.cert, a PEM file that other users may not read.')),
  },
  errors: transportFail,
  checkSettings: (settings, all) => {
    const { 'server.tls.cert': cert, 'server.tls.key': key } = settings
    if (cert === null && key === null) return []
    if (cert === null)
      return [{ key: 'server.tls.key', message: 'needs server.tls.cert', hint: 'Set {server.tls.cert}.' }]
    if (key === null)
      return [{ key: 'server.tls.cert', message: 'needs server.tls.key', hint: 'Set {server.tls.key}.' }]
    if (all['server.transport'] !== 'uws') return []
    const hint = 'Leave server.transport at auto, or set it to node.'
    return [{ key: 'server.transport', message: 'uWebSockets.js does not serve TLS here', hint }]
  },
  async checkMachine({ 'server.tls.cert': cert, 'server.tls.key': key }) {
    if (cert === null || key === null) return []
    const refusal = await refusalOf('server.tls.cert', () => readKeyPair({ cert, key }))
    return refusal === undefined ? [] : [refusal]
  },
  setup(ctx) {
    const { settings, log, clock, metrics } = ctx
    const use = ({ validToMs }: KeyPair): void => metrics.ends.set({ surface: 'runtime' }, validToMs / 1_000)
    const { 'server.tls.cert': cert, 'server.tls.key': key } = settings
    const files: KeyPairFiles | undefined = cert === null || key === null ? undefined : { cert, key }
    ctx.provide('SecureServer', {
      incoming({ host, port }) {
        if (files === undefined) return undefined
        const pair = readKeyPair(files)
        const validTo = new Date(pair.validToMs).toISOString()
        if (clock.now() > pair.validToMs) log.warn('The TLS certificate has expired.', { valid_to: validTo })
        if (clock.now() < pair.validFromMs) {
          log.warn('The TLS certificate is not valid yet, or the clock of this machine is behind.', {
            valid_from: new Date(pair.validFromMs).toISOString(),
          })
        }
        use(pair)
        const handshakeTimeoutMs = settings['server.header_timeout_ms']
        return createTlsListener({
          ...{ host, port, files, pair, handshakeTimeoutMs, log },
          monotonic: clock.monotonic,
          onRenewed: use,
        })
      },
    })
  },
})
