import { documented } from '../../../core/declare/described.ts'
import { decimal, deprecated, integer, type Setting } from '../../../core/declare/settings.ts'
import { serverSettings } from '../../../core/kernel/settings/server.ts'

/** The settings of feature `auth.api-keys`. */
export const keySettings: Readonly<
  Record<
    | 'security.key_max_days'
    | 'security.max_keys'
    | 'security.keys_tenant_share'
    | 'security.max_keys_per_owner'
    | 'security.max_key_bytes_per_owner'
    | 'security.max_keys_in_the_making'
    | 'security.key_cache_seconds'
    | 'security.key_cache_entries'
    | 'security.argon2_memory_kib'
    | 'security.argon2_iterations'
    | 'security.argon2_parallelism'
    | 'security.argon2_concurrency'
    | 'security.argon2_waiting'
    | 'security.failed_key_limit'
    | 'security.failed_key_window_seconds'
    | 'security.failed_key_addresses',
    Setting<number>
  >
> & { readonly 'server.trusted_proxies': Setting<readonly string[]> } = {
  'security.key_max_days': integer({
    default: 90,
    min: 1,
    max: 3_650,
    summary: documented('Longest life of an API key, in days.'),
  }),
  'security.max_keys': integer({
    default: 100_000,
    min: 1,
    summary: documented('Most API keys that are kept.'),
  }),
  'security.keys_tenant_share': decimal({
    default: 0.5,
    min: 0,
    max: 1,
    summary: documented('Share of them that the users of one tenant may have together.'),
  }),
  'security.max_keys_per_owner': integer({
    default: 1_000,
    min: 1,
    summary: documented('Most API keys of one user.'),
  }),
  'security.max_key_bytes_per_owner': integer({
    default: 524_288,
    min: 1_024,
    unit: 'bytes',
    summary: documented('Most that the list of one user has.'),
  }),
  'security.max_keys_in_the_making': integer({
    default: 4,
    min: 1,
    summary: documented('Most API keys that one user makes at a time.'),
  }),
  'security.key_cache_seconds': integer({
    default: 60,
    unit: 's',
    summary: documented(
      'How long a verified API key needs no further Argon2 run; a revoked one fails at once all the same.',
    ),
  }),
  'security.key_cache_entries': integer({
    default: 10_000,
    summary: documented('How many verified API keys are remembered.'),
  }),
  'security.argon2_memory_kib': integer({
    default: 19_456,
    min: 8,
    summary: documented('Memory of one Argon2id run, in KiB.'),
  }),
  'security.argon2_iterations': integer({ default: 2, min: 1, summary: documented('Passes of one Argon2id run.') }),
  'security.argon2_parallelism': integer({
    default: 1,
    min: 1,
    max: 64,
    summary: documented('Lanes of one Argon2id run.'),
  }),
  'security.argon2_concurrency': integer({
    default: 2,
    min: 1,
    max: 64,
    summary: documented(
      'Most Argon2id runs at a time; never more than the cores but one, and one where there are no threads.',
    ),
  }),
  'security.argon2_waiting': integer({
    default: 64,
    summary: documented('How many Argon2id runs may wait; beyond it 503.'),
  }),
  'security.failed_key_limit': integer({
    default: 20,
    min: 1,
    max: 10_000,
    summary: documented(
      'Failed Argon2id runs that an address has in security.failed_key_window_seconds; beyond it 429.',
    ),
  }),
  'security.failed_key_window_seconds': integer({
    default: 10,
    min: 1,
    unit: 's',
    summary: documented('The time in which security.failed_key_limit counts.'),
  }),
  'security.failed_key_addresses': deprecated(
    integer({
      default: 10_000,
      min: 1,
      summary: documented('How many addresses are watched for failed API keys.'),
    }),
    documented('The oldest address makes room; an attacker with more addresses is not held by a longer list.'),
  ),
  'server.trusted_proxies': serverSettings['server.trusted_proxies'],
}
