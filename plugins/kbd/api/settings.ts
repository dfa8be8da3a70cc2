/** The settings of boards. */
import { documented } from '../../../core/declare/described.ts'
import { deprecated, integer, type Setting } from '../../../core/declare/settings.ts'
import type { SyncShared } from '../../sync/capabilities.ts'
import { defaultLimits, type KbdLimits } from '../engine/limits.ts'

/** Keys of the settings of feature `kbd.api`. */
export type KbdSettingKey =
  | 'kbd.max_command_bytes'
  | 'kbd.max_commands'
  | 'kbd.max_divergence'
  | 'kbd.max_device_heads'
  | 'kbd.max_claims'
  | 'kbd.max_labels'
  | 'kbd.merge_window_days'
  | 'kbd.max_content_bytes'
  | 'kbd.unnamed_content_bytes'
  | 'kbd.max_import_bytes'
  | 'kbd.snapshot_cache_bytes'
  | 'kbd.refusal_quiet_ms'
  | 'sync.content_grace_hours'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Settings of feature `kbd.api`. */
export const kbdSettings: Readonly<Record<KbdSettingKey, Setting<number>>> = {
  'kbd.max_command_bytes': deprecated(
    integer({
      default: defaultLimits.maxCommandBytes,
      min: 1_024,
      max: 262_144,
      unit: 'bytes',
      summary: documented('Largest signed command.'),
    }),
    documented('Every node of a board must take the same commands.'),
  ),
  'kbd.max_commands': integer({
    default: defaultLimits.maxCommands,
    min: 1,
    summary: documented('Most commands of one project.'),
  }),
  'kbd.max_divergence': integer({
    default: defaultLimits.maxDivergence,
    min: 1,
    max: 1_000_000,
    summary: documented('Most commands of the project that the author of a new command may not have seen.'),
  }),
  'kbd.max_device_heads': deprecated(
    integer({
      default: defaultLimits.maxDeviceHeads,
      min: 1,
      max: 64,
      summary: documented('Most branches that a device may have in a project.'),
    }),
    documented(
      'A device continues its newest command, so it has one branch; more than 16 come from one key in many places.',
    ),
  ),
  'kbd.max_claims': integer({
    default: defaultLimits.maxClaims,
    min: 1,
    max: 10_000,
    summary: documented('Most live claims of a device.'),
  }),
  'kbd.max_labels': deprecated(
    integer({
      default: defaultLimits.maxLabels,
      min: 1,
      max: 4_096,
      summary: documented('Most labels that a card may ever have had.'),
    }),
    documented('Labels sort cards; nobody reads 256 of them on one card.'),
  ),
  'kbd.merge_window_days': integer({
    default: defaultLimits.mergeWindowMs / DAY_MS,
    min: 1,
    max: 3_650,
    summary: documented('Highest age of a command with "concurrency":"merge", in days: for work done offline.'),
  }),
  'kbd.max_content_bytes': deprecated(
    integer({
      default: defaultLimits.maxContentBytes,
      min: 1_024,
      max: 16_777_216,
      unit: 'bytes',
      summary: documented('Largest text of a card or comment.'),
    }),
    documented('Every node of a board must take the same texts.'),
  ),
  'kbd.unnamed_content_bytes': integer({
    default: defaultLimits.unnamedContentBytes,
    unit: 'bytes',
    summary: documented('Most bytes of texts that no command names yet.'),
  }),
  'kbd.max_import_bytes': integer({
    default: 67_108_864,
    min: 1_024,
    max: 1_073_741_824,
    unit: 'bytes',
    summary: documented('Largest file of exported boards.'),
  }),
  'kbd.snapshot_cache_bytes': integer({
    default: 33_554_432,
    unit: 'bytes',
    summary: documented('Most memory of projects that are kept for later reads. The newest is always kept.'),
  }),
  'kbd.refusal_quiet_ms': deprecated(
    integer({
      default: 60_000,
      unit: 'ms',
      summary: documented('Time in which equal refusals are one entry of the audit chain.'),
    }),
    documented("The chain needs one entry of a loop of refusals, whatever the loop's length."),
  ),
  'sync.content_grace_hours': integer({
    default: defaultLimits.contentGraceMs / HOUR_MS,
    max: 87_600,
    summary: documented('Hours until a text is removed that no command names, or that only redacted comments name.'),
  }),
}

/** The limits of the engine from the settings. The time window is that of pushes. */
export function toKbdLimits(
  settings: Readonly<Record<KbdSettingKey, number>>,
  { windowPastMs, windowFutureMs }: SyncShared['limits'],
): KbdLimits {
  return {
    maxCommandBytes: settings['kbd.max_command_bytes'],
    maxCommands: settings['kbd.max_commands'],
    maxDivergence: settings['kbd.max_divergence'],
    maxDeviceHeads: settings['kbd.max_device_heads'],
    maxClaims: settings['kbd.max_claims'],
    maxLabels: settings['kbd.max_labels'],
    windowPastMs,
    windowFutureMs,
    mergeWindowMs: settings['kbd.merge_window_days'] * DAY_MS,
    maxContentBytes: settings['kbd.max_content_bytes'],
    unnamedContentBytes: settings['kbd.unnamed_content_bytes'],
    contentGraceMs: settings['sync.content_grace_hours'] * HOUR_MS,
  }
}
