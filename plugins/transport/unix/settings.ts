/** Where the local surface listens. */
import { documented } from '../../../core/declare/described.ts'
import { type Setting, text } from '../../../core/declare/settings.ts'
import { pathSettings } from '../../../core/kernel/settings/paths.ts'
import { modeSetting } from '../../../core/kernel/settings/server.ts'

/** Settings of feature `transport.unix`. */
export const localSettings: {
  readonly 'server.mode': Setting<'all' | 'runtime' | 'sync'>
  readonly 'storage.dir': Setting<string | null>
  readonly 'sync.socket_path': Setting<string | null>
  readonly 'sync.tcp': Setting<string | null>
  readonly 'sync.token_file': Setting<string | null>
} = {
  ...pathSettings,
  ...modeSetting,
  'sync.socket_path': text({
    default: null,
    expected: 'a path',
    summary: documented(
      'Path of the Unix socket; null for $XDG_RUNTIME_DIR/svc/sync.sock or <storage.dir>/run/sync.sock.',
    ),
  }),
  'sync.tcp': text({
    default: null,
    pattern:
      /^(?:(?:127\.0\.0\.1|localhost|\[::1\]):)?(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/,
    expected: 'a port, or a loopback host and a port: 127.0.0.1:8081, localhost:8081, [::1]:8081',
    summary: documented(
      'Loopback address on which the sync API listens too; needs sync.token_file. Port 0 picks a free one.',
    ),
  }),
  'sync.token_file': text({
    default: null,
    expected: 'a path',
    summary: documented('File of the bearer token for sync.tcp: regular, ours, mode 0600, 32 bytes or more.'),
  }),
}

/** Parses the address of `sync.tcp`. */
export function toTcpAddress(setting: string): { readonly host: string; readonly port: number } {
  const colon = setting.lastIndexOf(':')
  const host = colon < 0 ? '127.0.0.1' : setting.slice(0, colon)
  const numeric = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[|\]$/g, '')
  return { host: numeric, port: Number(setting.slice(colon + 1)) }
}
