/** The settings that all surfaces and transports share, and the one that chooses the surfaces. */
import { documented } from '../../declare/described.ts'
import { choice, integer, list, type Setting } from '../../declare/settings.ts'
import { readProxy } from '../../http/client-address.ts'

/** Settings of the HTTP side of the kernel. */
export const serverSettings: {
  readonly 'server.max_body_bytes': Setting<number>
  readonly 'server.cors_origins': Setting<readonly string[]>
  readonly 'server.trusted_proxies': Setting<readonly string[]>
  readonly 'server.drain_delay_ms': Setting<number>
  readonly 'server.shutdown_grace_ms': Setting<number>
} = {
  'server.max_body_bytes': integer({
    default: 1_048_576,
    min: 1_024,
    unit: 'bytes',
    summary: documented('Largest request body of a route that names no limit of its own.'),
  }),
  'server.cors_origins': list({
    default: [],
    // An origin as browsers send it. No browser sends another spelling.
    pattern: /^http(?:s(?!.*:443$)|(?!.*:80$)):\/\/[a-z\d.:[\]-]+$/,
    expected: 'a list of origins as browsers send them: https://app.example',
    summary: documented('Origins that browsers may call from; empty sends no CORS header at all.'),
  }),
  'server.trusted_proxies': list({
    default: [],
    readItem: readProxy,
    expected: 'a list of IP addresses and networks: 10.0.0.1, 10.0.0.0/8, 2001:db8::/32',
    summary: documented('Proxies, by address or network (CIDR), whose X-Forwarded-For is used; empty uses none.'),
  }),
  'server.drain_delay_ms': integer({
    default: 0,
    max: 600_000,
    unit: 'ms',
    summary: documented(
      'Time that the listeners stay open on a stop while /readyz answers 503, so that a balancer sends no new requests.',
    ),
  }),
  'server.shutdown_grace_ms': integer({
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    summary: documented('Time that requests in flight and streams have to end on a stop.'),
  }),
}

/** The setting of the surfaces that listen. */
export const modeSetting: { readonly 'server.mode': Setting<'all' | 'runtime' | 'sync'> } = {
  'server.mode': choice({
    default: 'all',
    of: ['all', 'runtime', 'sync'],
    summary: documented('Which surfaces listen: the runtime server, the local sync API, or both.'),
  }),
}
