/** The settings that every surface shares, whichever transport carries it. */
import { choice, integer, list, type Setting } from './kinds.ts'

/** Settings of the HTTP side of the kernel. */
export const serverSettings: {
  readonly 'server.mode': Setting<'all' | 'runtime' | 'sync'>
  readonly 'server.max_body_bytes': Setting<number>
  readonly 'server.cors_origins': Setting<readonly string[]>
  readonly 'server.trusted_proxies': Setting<readonly string[]>
  readonly 'server.drain_delay_ms': Setting<number>
  readonly 'server.shutdown_grace_ms': Setting<number>
} = {
  'server.mode': choice({
    default: 'all',
    of: ['all', 'runtime', 'sync'],
    summary: 'Which surfaces listen.',
  }),
  'server.max_body_bytes': integer({
    default: 1_048_576,
    min: 1_024,
    unit: 'bytes',
    summary: 'Largest request body, where a route sets no smaller limit.',
  }),
  'server.cors_origins': list({
    default: [],
    pattern: /^https?:\/\/[^/\s]+$/,
    expected: 'a list of origins such as https://app.example, without a path',
    summary: 'Origins that browsers may call from.',
  }),
  'server.trusted_proxies': list({
    default: [],
    pattern: /^[0-9a-fA-F.:]+$/,
    expected: 'a list of IP addresses',
    summary: 'Proxies whose X-Forwarded-For is believed.',
  }),
  'server.drain_delay_ms': integer({
    default: 0,
    max: 600_000,
    unit: 'ms',
    summary: 'Time that listeners stay open on a stop, with /readyz at 503.',
  }),
  'server.shutdown_grace_ms': integer({
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    summary: 'Time that requests and streams have to end on a stop.',
  }),
}
