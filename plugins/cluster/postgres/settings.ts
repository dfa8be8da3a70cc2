import { documented } from '../../../core/declare/described.ts'
import type { Secret } from '../../../core/declare/secret.ts'
import { deprecated, flag, integer, reloadable, type Setting, secret } from '../../../core/declare/settings.ts'
import type { SettingRefusal } from '../../../core/kernel/settings/resolve.ts'
import { accessProblem } from './access.ts'

/** The types of the settings of the feature. */
export type PostgresSettings = {
  readonly 'cluster.migrate': Setting<boolean>
  readonly 'cluster.postgres_url': Setting<Secret | null>
  readonly 'cluster.postgres_connections': Setting<number>
  readonly 'cluster.postgres_timeout_ms': Setting<number>
  readonly 'cluster.key_records': Setting<number>
  readonly 'cluster.key_reads': Setting<number>
  readonly 'security.exchange_secret': Setting<Secret | null>
  readonly 'security.exchange_secret_previous': Setting<Secret | null>
  readonly 'security.key_offline_seconds': Setting<number>
}

/** The settings of the feature. */
export const postgresSettings: PostgresSettings = {
  'cluster.migrate': flag({
    default: true,
    summary: documented('Whether a node makes and migrates the schema of PostgreSQL; with false, svc migrate does it.'),
  }),
  'cluster.postgres_url': secret({
    summary: documented(
      'Where the PostgreSQL with the API keys of all nodes is: postgres://user:password@host/database.',
    ),
  }),
  'cluster.postgres_connections': integer({
    default: 4,
    min: 1,
    max: 100,
    summary: documented('Connections of a node to PostgreSQL, beside the one that listens for changes.'),
  }),
  'cluster.postgres_timeout_ms': integer({
    default: 1_000,
    min: 50,
    unit: 'ms',
    summary: documented('How long an answer of PostgreSQL may take before it counts as away.'),
  }),
  'cluster.key_records': integer({
    default: 10_000,
    summary: documented('Records of API keys that a node keeps in memory, those used last.'),
  }),
  'cluster.key_reads': deprecated(
    integer({
      default: 256,
      min: 1,
      summary: documented('Records that a node may be reading from PostgreSQL at a time; further ones are refused.'),
    }),
    documented('PostgreSQL answers 256 reads within one timeout; if a node needs more at once, add nodes.'),
  ),
  'security.exchange_secret': reloadable(
    secret({ summary: documented('Signs exchange tokens, the same on every node; at least 32 bytes.') }),
    'contents',
  ),
  'security.exchange_secret_previous': reloadable(
    secret({
      summary: documented('The secret before it, whose tokens still count while nodes are given the new one.'),
    }),
  ),
  'security.key_offline_seconds': integer({
    default: 60,
    max: 3_600,
    unit: 's',
    summary: documented('How long a known API key still counts while PostgreSQL is away.'),
  }),
}

/** The least length of a key of HMAC with SHA-256: that of its output (RFC 7518 section 3.2). */
const MIN_SECRET_BYTES = 32

/** Validates the URL and the secrets. */
export function refusePostgresSettings(
  url: Secret | null,
  exchange: Secret | null,
  previous: Secret | null,
): readonly SettingRefusal[] {
  const refusals: SettingRefusal[] = []
  const message = urlProblem(url)
  if (message !== undefined) {
    const hint = 'Set {cluster.postgres_url} to postgres://user:password@host:5432/database.'
    refusals.push({ key: 'cluster.postgres_url', message, hint })
  }
  const isShort = (secret: Secret): boolean => new TextEncoder().encode(secret.reveal()).length < MIN_SECRET_BYTES
  const hint = `Set it to at least ${MIN_SECRET_BYTES} random bytes (openssl rand -base64 48), the same on every node.`
  const short = `shorter than the ${MIN_SECRET_BYTES} bytes that HS256 needs`
  if (exchange === null) refusals.push({ key: 'security.exchange_secret', message: 'not set', hint })
  else if (isShort(exchange)) refusals.push({ key: 'security.exchange_secret', message: short, hint })
  if (previous !== null && isShort(previous))
    refusals.push({ key: 'security.exchange_secret_previous', message: short, hint })
  return refusals
}

/** Why a URL of PostgreSQL cannot be used; undefined if it can. */
export function urlProblem(url: Secret | null): string | undefined {
  if (url === null) return 'not set'
  const text = url.reveal()
  const isUrl = /^postgres(?:ql)?:\/\/[^/]/.test(text) && URL.canParse(text)
  return isUrl
    ? accessProblem(text)
    : 'not a postgres:// URL with a host; percent-encode special characters of the password'
}
