/** The settings that the servers share. Both plugins use these declarations. */
import { documented } from '../../core/declare/described.ts'
import { integer, type Setting, text } from '../../core/declare/settings.ts'
import { modeSetting } from '../../core/kernel/settings/server.ts'

/** Where the runtime surface listens, and the limits of time and memory of a connection. */
export const listenSettings: {
  readonly 'server.mode': Setting<'all' | 'runtime' | 'sync'>
  readonly 'server.host': Setting<string>
  readonly 'server.port': Setting<number>
  readonly 'server.max_header_bytes': Setting<number>
  readonly 'server.header_timeout_ms': Setting<number>
  readonly 'server.body_timeout_ms': Setting<number>
  readonly 'server.idle_timeout_ms': Setting<number>
} = {
  ...modeSetting,
  'server.host': text({
    default: '127.0.0.1',
    pattern: /^(?:[^\s/:[\]]+|[\da-f]*:[\da-f.]*:[\da-f:.]*(?:%\w+)?)$/i,
    expected: 'a host name or an IP address, without brackets and without a port',
    summary: documented('Address that the runtime surface listens on.'),
  }),
  'server.port': integer({
    default: 8080,
    max: 65_535,
    summary: documented('Port that the runtime surface listens on; 0 picks a free one, which the log names.'),
  }),
  'server.max_header_bytes': integer({
    default: 16_384,
    min: 1_024,
    max: 1_048_576,
    unit: 'bytes',
    summary: documented('Largest head of a request: request line and headers.'),
  }),
  'server.header_timeout_ms': integer({
    default: 10_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    summary: documented('Time that a client has to send the head of a request.'),
  }),
  'server.body_timeout_ms': integer({
    default: 60_000,
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    summary: documented('Time that a client has to send a whole request, its body included.'),
  }),
  'server.idle_timeout_ms': integer({
    default: 10_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    summary: documented('How long a connection is kept open between two requests.'),
  }),
}
