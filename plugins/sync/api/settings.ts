/** The settings of the sync API. */
import { documented } from '../../../core/declare/described.ts'
import { deprecated, integer, type Setting, text } from '../../../core/declare/settings.ts'
import { defaultLimits, type EngineLimits } from '../engine/options.ts'

/** Keys of the settings of feature `sync.api`. */
export type SyncSettingKey =
  | 'sync.max_body_bytes'
  | 'sync.max_json_depth'
  | 'sync.max_targets'
  | 'sync.max_frontier_heads'
  | 'sync.window_past_ms'
  | 'sync.window_future_ms'
  | 'sync.settle_after_ms'
  | 'sync.retry_first_ms'
  | 'sync.retry_max_ms'
  | 'sync.retention_days'

/**
 * Receipts are kept for longer than the 7 days in which a peer accepts a push. Otherwise the same push could be
 * executed again.
 */
const SHORTEST_RETENTION_DAYS = 8
const days = integer({
  default: defaultLimits.retentionDays,
  max: 36_500,
  summary: documented('Age at which settled receipts are removed, in days; 0 keeps them for ever.'),
})
const retentionDays: Setting<number> = {
  ...days,
  expected: `0, or an integer from ${SHORTEST_RETENTION_DAYS} to 36500 (days)`,
  read(input) {
    const value = days.read(input)
    return value === 0 || value === undefined || value >= SHORTEST_RETENTION_DAYS ? value : undefined
  },
}

/** Settings of feature `sync.api`. */
export const syncSettings: Readonly<Record<SyncSettingKey, Setting<number>>> = {
  'sync.max_body_bytes': deprecated(
    integer({
      default: defaultLimits.maxBodyBytes,
      min: 1_024,
      max: 16_777_216,
      unit: 'bytes',
      summary: documented('Largest body of a push.'),
    }),
    documented('A node and its peers must take the same pushes.'),
  ),
  'sync.max_json_depth': deprecated(
    integer({
      default: defaultLimits.maxJsonDepth,
      min: 3,
      max: 256,
      summary: documented('How deep arrays and objects of a push may nest.'),
    }),
    documented('Both sides of a push must agree on it: deeper has no canonical form.'),
  ),
  'sync.max_targets': integer({
    default: defaultLimits.maxTargets,
    max: 4_096,
    summary: documented('Most target endpoint ids of one push.'),
  }),
  'sync.max_frontier_heads': deprecated(
    integer({
      default: defaultLimits.maxFrontierHeads,
      min: 1,
      max: 4_096,
      summary: documented('Most heads of an expectedFrontier.'),
    }),
    documented('A node and its peers must take the same pushes.'),
  ),
  'sync.window_past_ms': integer({
    default: defaultLimits.windowPastMs,
    unit: 'ms',
    summary: documented('How old issuedAtMs may be.'),
  }),
  'sync.window_future_ms': integer({
    default: defaultLimits.windowFutureMs,
    unit: 'ms',
    summary: documented('How far issuedAtMs may be ahead of the clock here.'),
  }),
  'sync.settle_after_ms': integer({
    default: defaultLimits.settleAfterMs,
    min: 1,
    unit: 'ms',
    summary: documented('Time after its broadcast at which a push is settled, whatever its peers say.'),
  }),
  'sync.retry_first_ms': deprecated(
    integer({
      default: defaultLimits.retryFirstMs,
      min: 1,
      unit: 'ms',
      summary: documented('Delay before a delivery to a peer is tried a second time; it doubles from there.'),
    }),
    documented('A peer that failed for a moment is tried again soon; the delay doubles for one that stays away.'),
  ),
  'sync.retry_max_ms': deprecated(
    integer({
      default: defaultLimits.retryMaxMs,
      min: 1,
      max: 86_400_000,
      unit: 'ms',
      summary: documented('Longest delay between two deliveries to a peer.'),
    }),
    documented('A peer that was away for long is found again within five minutes.'),
  ),
  'sync.retention_days': retentionDays,
}

/** Who sees receipts on the entity-change stream, and boards on the runtime surface. */
export const liveSettings: { readonly 'sync.live_tenant': Setting<string> } = {
  'sync.live_tenant': text({
    default: 'default',
    summary: documented(
      'Tenant whose users see receipts on the entity-change stream, topic receipts, and may read boards.',
    ),
  }),
}

/** Values of these settings. */
export type SyncSettings = Readonly<Record<SyncSettingKey, number>>

/** The limits of the engine in these settings. */
export function toLimits(settings: SyncSettings): EngineLimits {
  return {
    maxBodyBytes: settings['sync.max_body_bytes'],
    maxJsonDepth: settings['sync.max_json_depth'],
    maxTargets: settings['sync.max_targets'],
    maxFrontierHeads: settings['sync.max_frontier_heads'],
    windowPastMs: settings['sync.window_past_ms'],
    windowFutureMs: settings['sync.window_future_ms'],
    settleAfterMs: settings['sync.settle_after_ms'],
    retryFirstMs: settings['sync.retry_first_ms'],
    retryMaxMs: settings['sync.retry_max_ms'],
    retentionDays: settings['sync.retention_days'],
  }
}
