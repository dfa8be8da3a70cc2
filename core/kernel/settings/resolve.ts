/**
 * Merges defaults, a configuration object, the environment and command-line options to one set of values. Later sources
 * win.
 */

import type { SvcError } from '../../declare/errors.ts'
import { whoHas } from '../../declare/manifest.ts'
import type { Setting, SettingsTable } from '../../declare/settings.ts'
import { kernelFail } from '../catalogue.ts'
import { nearest } from '../nearest.ts'
import { withoutCredentials } from '../printable.ts'
import { isObject } from '../values.ts'
import {
  type FiledSetting,
  filedInConfig,
  filedInEnvironment,
  type ReadSecretFile,
  withoutSuffix,
} from './secret-files.ts'
import { surroundings } from './surroundings.ts'

declare const __PROGRAM__: boolean

/** The sources of values. */
export interface SettingsSources {
  /**
   * Values by full key in place of the declared defaults. Unknown keys are ignored. Every source wins over these
   * values.
   */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** A nested object, as in the `--config` file, and its name in messages. */
  readonly config?: { readonly name: string; readonly value: unknown }
  /** Environment variables. A program reads those of the form `SVC_A__B`, and those that settings name. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /**
   * Values by full key that win over all others, each with its name in messages, such as `--mode`. Only a program reads
   * them.
   */
  readonly overrides?: readonly { readonly name: string; readonly key: string; readonly value: unknown }[]
  /** Reads the files of secrets. Only a program has files; without the function a secret is its value. */
  readonly readSecret?: ReadSecretFile
}

/** One problem of the settings. */
export interface SettingsProblem {
  readonly key: string
  readonly source: string
  readonly message: string
  /** What to do about the problem, if the message does not say it. */
  readonly hint?: string
}

/** A value that is valid alone, and cannot be used together with other values or in this service. */
export interface SettingRefusal {
  readonly key: string
  readonly message: string
  /**
   * A setting in braces, such as `{server.port}`, is named as the reader sets it: by its variable in a program, by its
   * key in a library.
   */
  readonly hint?: string
}

/** Something on this machine because of which a start with these settings would fail. */
export interface MachineRefusal extends SettingRefusal {
  /** Whether a running service with the same settings would be the reason. */
  readonly inUse?: boolean
}

/** Validates combinations of settings. Refusals of a key that has a problem already are ignored. */
export type SettingsCheck = (values: Readonly<Record<string, unknown>>) => readonly SettingRefusal[]

/** The values by full key, and warnings for the operator. */
export interface ResolvedSettings {
  readonly values: Readonly<Record<string, unknown>>
  /** Keys that a source set, each with the name of the source that won. */
  readonly sourceNames: ReadonlyMap<string, string>
  /**
   * Keys of secrets that were read from files, each with its value as text that has paths in the places of their
   * contents.
   */
  readonly files: ReadonlyMap<string, string>
  readonly warnings: readonly SettingsProblem[]
}

/**
 * Keys of features that this profile lacks, with the profiles that have them. `kbd.*` means all keys that begin with
 * `kbd.`.
 */
export type AbsentSettings = Readonly<Record<string, readonly string[]>>

/**
 * Reads every source against the table, then runs the checks on all values.
 * @throws SvcError `ERR_SETTINGS_INVALID` that names all problems together, each with its source and the expected
 * value. `details.problems` has them as data.
 */
export function resolveSettings(
  table: SettingsTable,
  sources: SettingsSources = {},
  absent: AbsentSettings = {},
  checks: readonly SettingsCheck[] = [],
): ResolvedSettings {
  const defaults = Object.entries(table).map(([key, setting]) => [key, sources.defaults?.[key] ?? setting.default])
  const reading: Reading = {
    table,
    absent,
    values: Object.fromEntries(defaults),
    sourceNames: new Map(),
    filed: new Map(),
    problems: [],
    warnings: [],
  }
  takeConfig(reading, sources)
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) {
    takeEnvironment(reading, sources)
    takeFiles(reading)
    warnOfDeprecated(reading)
  }

  const { values, sourceNames, filed, problems, warnings } = reading
  const refused = new Set(problems.map(({ key }) => key))
  for (const check of checks) {
    for (const refusal of check(values)) {
      if (!refused.has(refusal.key)) problems.push(toProblem(refusal, sourceNames, sources))
    }
  }

  if (problems.length > 0) throw invalid(problems, warnings, table)
  return { values, sourceNames, files: new Map([...filed].map(([key, { named }]) => [key, named])), warnings }
}

/** What was read so far. */
interface Reading {
  readonly table: SettingsTable
  readonly absent: AbsentSettings
  readonly values: Record<string, unknown>
  readonly sourceNames: Map<string, string>
  /** Secrets in files. They are read last, because a file of an earlier source need not exist. */
  readonly filed: Map<string, FiledSetting>
  readonly problems: SettingsProblem[]
  readonly warnings: SettingsProblem[]
}

function take({ table, values, sourceNames, problems }: Reading, key: string, source: string, input: unknown): void {
  const setting = table[key]!
  // Null means not set if the default is null, as the documentation of the setting says.
  if (input === null && setting.default === null) return
  const surplus = surroundings(input)
  const value = surplus === undefined ? setting.read(input) : undefined
  if (value === undefined) problems.push({ key, source, message: expectation(setting, surplus, input) })
  else {
    values[key] = value
    sourceNames.set(key, source)
  }
}

function refuseAbsent({ absent, problems }: Reading, key: string, source: string): boolean {
  const named = [key, key.replace(/\..*/, '.*')].find((name) => Object.hasOwn(absent, name))
  if (named === undefined) return false
  const message = `this profile does not have the feature of this setting. ${whoHas(absent[named]!)}`
  problems.push({ key, source, message })
  return true
}

function takeConfig(reading: Reading, { config, readSecret }: SettingsSources): void {
  if (config === undefined) return
  const { table, absent, filed, problems } = reading
  const { name, value } = config
  if (!isObject(value)) return void problems.push({ key: '(all)', source: name, message: 'expected a JSON object' })
  for (const [key, input] of flatten(value, (key) => Object.hasOwn(table, key) || Object.hasOwn(absent, key))) {
    const source = `${name}: ${key}`
    if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) {
      const file = readSecret && filedInConfig({ key, source, input }, table, readSecret)
      if (file !== undefined) {
        filed.set(key, file)
        continue
      }
    }
    if (Object.hasOwn(table, key)) take(reading, key, source, input)
    else if (!refuseAbsent(reading, key, source)) problems.push({ key, source, message: unknown(key, table) })
  }
}

function takeEnvironment(reading: Reading, { environment = {}, overrides = [], readSecret }: SettingsSources): void {
  const { table, filed, problems, warnings } = reading
  const takeText = (key: string, variable: string, text: string): void => {
    const input = meaning(key, table[key]!, text)
    if (input === undefined) return
    filed.delete(key)
    take(reading, key, variable, input)
  }
  for (const [key, { variable }] of Object.entries(table)) {
    const input = variable === undefined ? undefined : environment[variable]
    if (input !== undefined) takeText(key, variable!, input)
  }
  const variables = Object.entries(environment).flatMap(([variable, text]) =>
    text === undefined || !/^SVC_.+__/.test(variable) ? [] : [{ variable, text, key: toKey(variable) }],
  )
  const files: FiledSetting[] = []
  for (const { variable, text, key } of variables) {
    const file = readSecret && filedInEnvironment({ key, variable, path: text }, table, readSecret)
    if (Object.hasOwn(table, key)) takeText(key, variable, text)
    else if (file !== undefined) files.push(file)
    else if (!refuseAbsent(reading, key, variable) && !refuseAbsent(reading, withoutSuffix(key) ?? key, variable))
      warnings.push({ key, source: variable, message: unknown(key, table, toVariable) })
  }
  for (const file of files) {
    const both = variables.find(({ key }) => key === file.key)
    if (both === undefined) filed.set(file.key, file)
    else problems.push({ key: file.key, source: file.source, message: `${both.variable} is set too; set one of them` })
  }

  for (const { name, key, value } of overrides) {
    if (Object.hasOwn(table, key)) take(reading, key, name, value)
    else if (!refuseAbsent(reading, key, name)) problems.push({ key, source: name, message: unknown(key, table) })
  }
}

/** Reads the files of the secrets for which no later source has a value. */
function takeFiles(reading: Reading): void {
  const { problems, warnings } = reading
  for (const { key, source, read } of reading.filed.values()) {
    const file = read()
    for (const message of file.warnings) warnings.push({ key, source, message })
    for (const message of file.problems) problems.push({ key, source, message })
    if (file.problems.length === 0) take(reading, key, source, file.input)
  }
}

/** Warns of each key that is given and goes after this release. */
function warnOfDeprecated({ table, sourceNames, warnings }: Reading): void {
  for (const [key, source] of sourceNames) {
    const { deprecated } = table[key]!
    if (deprecated !== undefined)
      warnings.push({ key, source, message: `acts for the last time in this release; leave it out. ${deprecated}` })
  }
}

function toProblem(
  { key, message, hint }: SettingRefusal,
  sourceNames: ReadonlyMap<string, string>,
  { environment, config }: SettingsSources,
): SettingsProblem {
  // A library reads no environment.
  const nameOf = (one: string): string => (environment === undefined ? one : toVariable(one))
  const source =
    sourceNames.get(key) ?? (environment === undefined ? `${config?.name ?? 'settings'}: ${key}` : toVariable(key))
  return {
    key,
    source,
    message,
    ...(hint !== undefined && { hint: hint.replace(/\{(\w+(?:\.\w+)+)\}/g, (_, one) => nameOf(one)) }),
  }
}

function invalid(
  problems: readonly SettingsProblem[],
  warnings: readonly SettingsProblem[],
  table: SettingsTable,
): SvcError {
  const lines = problems.map(
    ({ source, message, hint }) => `  ${source}: ${message}${hint === undefined ? '' : `\n    → ${hint}`}`,
  )
  // An unknown variable may be the cause of a problem: a misspelt name of a setting that is missing.
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) {
    const ignored = warnings.filter(({ key }) => !Object.hasOwn(table, key))
    lines.push(...ignored.map(({ source, message }) => `  ${source}: ${message} (ignored)`))
  }
  const count = problems.length === 1 ? 'One setting is invalid' : `${problems.length} settings are invalid`
  return kernelFail('ERR_SETTINGS_INVALID', { message: `${count}:\n${lines.join('\n')}`, details: { problems } })
}

function expectation(setting: Setting<unknown>, surplus: string | undefined, input: unknown): string {
  return `expected ${setting.expected}${surplus === undefined ? '' : `, without ${surplus}`}${got(input, setting)}`
}

/** The input of a variable with this text; undefined if the variable counts as absent. */
function meaning(key: string, { secret, fromText }: Setting<unknown>, text: string): unknown {
  if (text === '') return secret || PROTECTS.test(key) ? text : undefined
  return fromText === undefined ? text : fromText(text)
}

/**
 * Settings that protect the service. An empty variable counts as absent, except for these and for secrets: if the text
 * of an audience came out empty, the audience must not be left unchecked.
 */
const PROTECTS = /^(security|peer)\.|^server\.trusted_proxies$/

function toKey(variable: string): string {
  return variable.slice('SVC_'.length).toLowerCase().replaceAll('__', '.')
}

/** The environment variable of a key: `server.port` is `SVC_SERVER__PORT`. */
export function toVariable(key: string): string {
  return `SVC_${key.replaceAll('.', '__').toUpperCase()}`
}

/** The entries of a nested object, down to known keys. The value of a known key may be an object itself. */
function* flatten(
  value: Record<string, unknown>,
  isKnown: (key: string) => boolean,
  prefix = '',
): Generator<[string, unknown]> {
  for (const [name, inner] of Object.entries(value)) {
    const key = prefix === '' ? name : `${prefix}.${name}`
    if (!isKnown(key) && isObject(inner)) yield* flatten(inner, isKnown, key)
    else yield [key, inner]
  }
}

function unknown(key: string, table: SettingsTable, show: (key: string) => string = (name) => name): string {
  const near = nearest(key, Object.keys(table))
  return `no such setting${near === undefined ? '' : `; did you mean ${show(near)}?`}`
}

function got(input: unknown, setting: { readonly secret: boolean }): string {
  if (setting.secret) return ''
  const shown = withoutCredentials(JSON.stringify(input) ?? String(input))
  return `, got ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`
}
