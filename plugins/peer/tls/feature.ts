/**
 * Peers over TLS: the listener, if a setting asks for one, and the link. No code of TLS is loaded before one of them is
 * used.
 */
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { deprecated, integer, text } from '../../../core/declare/settings.ts'
import { defineContract, refusesSetting } from '../../../core/testing/contract.ts'
import type {} from '../../sync/capabilities.ts'
import type { Listener } from '../../transport/node-http/api.ts'
import type {} from '../../transport/node-http/capabilities.ts'
import type {} from '../capabilities.ts'
import type { TlsLink } from './link.ts'

const PORT = '(?:\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5])'
const LISTEN = new RegExp(`^(?:\\[[0-9a-f:.]+\\]|[^\\s/:[\\]]+):${PORT}$`, 'i')

/** Most addresses of this node in a pairing code. */
const MAX_ADDRESSES = 8

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'peer.tls': true
  }
}

/** Feature `peer.tls`. */
export const feature: FeatureValue<'peer.tls'> = defineFeature({
  id: 'peer.tls',
  about: described({
    at: import.meta.url,
    summary: 'Peers over TLS 1.3, known by the exact key of each side',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['peer.core', 'transport.node-http'],
    platform: 'node',
    contract: defineContract({
      present: [
        {
          name: 'a peer.listen without a port ends the start with 78, and the message names the setting',
          given: { 'peer.listen': '127.0.0.1' },
          command: [],
          exits: { code: 78, stderr: /SVC_PEER__LISTEN: expected a host and a port/ },
        },
      ],
      absent: [refusesSetting('peer.listen', '127.0.0.1:7443')],
    }),
  }),
  needs: { Peers: 'required', SyncShared: 'required', HttpServer: 'required' },
  settings: {
    'peer.listen': text({
      default: null,
      pattern: LISTEN,
      expected: 'a host and a port: 0.0.0.0:7443, [::]:7443',
      summary: documented(
        'Where peers find this node; null: it takes no connections of peers. Port 0 picks a free one.',
      ),
    }),
    'peer.max_handshakes': deprecated(
      integer({
        default: 64,
        min: 1,
        max: 4_096,
        summary: documented('Most handshakes with peers at once.'),
      }),
      documented('An honest handshake is over in two round trips, so 64 at once allow thousands a minute.'),
    ),
    'peer.handshake_timeout_ms': deprecated(
      integer({
        default: 5_000,
        min: 100,
        max: 60_000,
        unit: 'ms',
        summary: documented('Time in which a new connection must prove its key.'),
      }),
      documented('An honest handshake takes two round trips.'),
    ),
  },
  async checkMachine({ 'peer.listen': address }) {
    return address === null ? [] : (await import('./machine-check.ts')).checkListener(toAddress(address))
  },
  setup(ctx) {
    const { settings, log } = ctx
    const [peers, shared, http] = [ctx.get('Peers'), ctx.get('SyncShared'), ctx.get('HttpServer')]
    const { headerTimeoutMs: timeoutMs = 10_000, idleTimeoutMs = 60_000 } = peers.limits ?? {}
    let link: Promise<TlsLink> | undefined
    peers.addLink({
      name: 'tls',
      reaches: ({ addresses }) => addresses.length > 0,
      async exchange(entry, exchange) {
        link ??= import('./link.ts').then(({ createLink }) =>
          createLink({ key: shared.ownKey, timeoutMs, idleTimeoutMs, maxConnections: peers.maxConnections }),
        )
        return (await link).exchange(entry, exchange)
      },
    })
    let listener: Listener | undefined
    ctx.onReady(async () => {
      const address = settings['peer.listen']
      if (address === null || http.mode === 'runtime') return
      const { createListener } = await import('./listener.ts')
      const incoming = createListener({
        ...toAddress(address),
        key: shared.ownKey(),
        peers,
        log,
        maxHandshakes: settings['peer.max_handshakes'],
        handshakeTimeoutMs: settings['peer.handshake_timeout_ms'],
      })
      listener = await http.serve(ctx.surface('peer'), { address: { incoming }, limits: peers.limits })
      peers.listensAt(await reachableAddresses(listener.address))
      log.info('Listening.', { peers: listener.address })
    })
    ctx.onDrain(() => listener?.drain())
    ctx.onStop(async () => {
      ;(await link)?.close()
      await listener?.close()
    })
  },
})

/** The host and the port of `peer.listen`. */
function toAddress(setting: string): { readonly host: string; readonly port: number } {
  const colon = setting.lastIndexOf(':')
  return { host: setting.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(setting.slice(colon + 1)) }
}

/**
 * The addresses for other machines. A wildcard is replaced by the addresses of all network interfaces (RFC 4291 section
 * 2.5.3).
 */
async function reachableAddresses(address: string): Promise<readonly string[]> {
  const colon = address.lastIndexOf(':')
  const [host, port] = [address.slice(0, colon), address.slice(colon + 1)]
  if (host !== '0.0.0.0' && host !== '[::]') return [address]
  const { networkInterfaces } = await import('node:os')
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address: one }) => !internal && !one.startsWith('fe80:'))
    .filter(({ family }) => family === 'IPv4' || host === '[::]')
    .map(({ family, address: one }) => (family === 'IPv4' ? `${one}:${port}` : `[${one}]:${port}`))
    .slice(0, MAX_ADDRESSES)
}
