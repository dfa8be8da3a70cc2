/** The settings of a running service, for the owner of the machine. */
import type { SettingsTable } from '../../declare/settings.ts'

/** One setting of the running service. */
export interface SettingInForce {
  readonly key: string
  /** The value. A secret is a `Secret`, which JSON writes as `[redacted]`. */
  readonly value: unknown
  /** Where the value comes from: `default`, a file with its key, or a variable. */
  readonly source: string
  /** Whether a new value takes effect on SIGHUP, or only new contents of the file that the value names. */
  readonly reload?: true | 'contents'
}

/** Every setting of a table, sorted by key. */
export function settingsInForce(
  table: SettingsTable,
  values: Readonly<Record<string, unknown>>,
  sourceNames: ReadonlyMap<string, string>,
): readonly SettingInForce[] {
  return Object.keys(table)
    .sort()
    .map((key) => {
      const { reload = false } = table[key]!
      return { key, value: values[key], source: sourceNames.get(key) ?? 'default', ...(reload !== false && { reload }) }
    })
}
