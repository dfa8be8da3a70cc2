/** The settings that every surface shares, whichever transport carries it. */
import { documented } from '../documented.ts'
import { choice, integer, list, type Setting } from './kinds.ts'

/** Settings of the HTTP side of the kernel. */
export const serverSettings: {
  readonly 'server.mode': Setting<'all' | 'runtime' | 'sync'>
  readonly 'server.max_body_bytes': Setting<number>
  readonly 'server.cors_origins': Setting<readonly string[]>
  readonly 'server.trusted_proxies': Setting<readonly string[]>
  readonly 'server.shutdown_grace_ms': Setting<number>
} = {
  'server.mode': choice({
    default: 'all',
    of: ['all', 'runtime', 'sync'],
    summary: documented('Which surfaces listen: the runtime server, the local sync API, or both.'),
  }),
  'server.max_body_bytes': integer({
    default: 1_048_576,
    min: 1_024,
    unit: 'bytes',
    summary: documented('Largest request body, where a route sets no smaller limit.'),
  }),
  'server.cors_origins': list({
    default: [],
    pattern: /^https?:\/\/[^/\s]+$/,
    expected: 'a list of origins such as https://app.example, without a path',
    summary: documented('Origins that browsers may call from; empty sends no CORS header at all.'),
  }),
  'server.trusted_proxies': list({
    default: [],
    pattern: /^[0-9a-fA-F.:]+$/,
    expected: 'a list of IP addresses',
    summary: documented('Proxies whose X-Forwarded-For is believed; empty believes none.'),
  }),
  'server.shutdown_grace_ms': integer({
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    summary: documented('Time that requests in flight and streams have to end on a stop.'),
  }),
}
