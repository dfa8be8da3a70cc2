/**
 * Secrets whose values are in files: `{"file": "/path"}` in the configuration file, `SVC_A__B_FILE=/path` in the
 * environment.
 */

import type { SettingsTable } from '../../declare/settings.ts'
import { isObject } from '../values.ts'

/** The text of a file, perhaps with a warning; or why the file cannot be used. Neither quotes the file. */
export type SecretFile = { readonly text: string; readonly warning?: string | undefined } | { readonly problem: string }

/** Reads the file of a secret. A relative path is relative to the configuration file, or to the working folder. */
export type ReadSecretFile = (path: string, from: 'config' | 'environment') => SecretFile

/** One setting whose value is in files. */
export interface FiledSetting {
  readonly key: string
  readonly source: string
  /** The value as an input of the setting, read anew at each call. */
  read(): { readonly input: unknown; readonly problems: readonly string[]; readonly warnings: readonly string[] }
  /**
   * The value as text, with paths in the places of what files have. Two settings with the same text can differ in the
   * contents of the same files only. It may have secrets that are no files.
   */
  readonly named: string
}

/** The setting of `input`, a value of the configuration file; undefined if the value names no file. */
export function filedInConfig(
  { key, source, input }: { readonly key: string; readonly source: string; readonly input: unknown },
  table: SettingsTable,
  read: ReadSecretFile,
): FiledSetting | undefined {
  if (table[key]?.secret !== true || !namesFile(input)) return undefined
  return {
    key,
    source,
    named: JSON.stringify(input),
    read: () => gather((readOne) => inlined(input, (path) => readOne(read(path, 'config')))),
  }
}

/** The setting whose variable, with `_FILE` after it, is `variable`; undefined if there is no such setting. */
export function filedInEnvironment(
  { key, variable, path }: { readonly key: string; readonly variable: string; readonly path: string },
  table: SettingsTable,
  read: ReadSecretFile,
): FiledSetting | undefined {
  const settingKey = withoutSuffix(key)
  const setting = settingKey === undefined || !Object.hasOwn(table, settingKey) ? undefined : table[settingKey]
  if (settingKey === undefined || setting?.secret !== true) return undefined
  const toInput = (text: string): unknown => (Array.isArray(setting.default) ? text.split(/\r?\n/) : text)
  return {
    key: settingKey,
    source: variable,
    named: JSON.stringify([path]),
    read: () => gather((readOne) => toInput(readOne(read(path, 'environment')))),
  }
}

/** The key of the setting that a key with `_file` at its end means. */
export function withoutSuffix(key: string): string | undefined {
  return key.endsWith('_file') ? key.slice(0, -'_file'.length) : undefined
}

function gather(readAll: (readOne: (file: SecretFile) => string) => unknown): ReturnType<FiledSetting['read']> {
  const problems: string[] = []
  const warnings: string[] = []
  const input = readAll((file) => {
    if ('problem' in file) {
      problems.push(file.problem)
      return ''
    }
    if (file.warning !== undefined) warnings.push(file.warning)
    return file.text
  })
  return { input, problems, warnings }
}

function isFile(value: unknown): value is { readonly file: string } {
  return isObject(value) && Object.keys(value).length === 1 && typeof value['file'] === 'string'
}

function namesFile(value: unknown): boolean {
  if (isFile(value)) return true
  return (Array.isArray(value) || isObject(value)) && Object.values(value).some(namesFile)
}

/** A value with the texts of its files in their places. */
function inlined(value: unknown, read: (path: string) => string): unknown {
  if (isFile(value)) return read(value.file)
  if (Array.isArray(value)) return value.map((one) => inlined(one, read))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inlined(one, read)]))
}
