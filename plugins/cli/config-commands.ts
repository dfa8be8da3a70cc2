/** `svc check-config`, `svc print-config` and `svc config diff`: read the settings as a start does, without a start. */
import { parseArgs } from 'node:util'
import type { Command, CommandIo } from '../../core/declare/command.ts'
import type { Registry } from '../../core/declare/manifest.ts'
import type { Plugin } from '../../core/declare/plugin.ts'
import type { Setting } from '../../core/declare/settings.ts'
import { toJsonText, withoutCredentials } from '../../core/kernel/printable.ts'
import { type SettingInForce, settingsInForce } from '../../core/kernel/settings/in-force.ts'
import { readSettings, settingsTable } from '../../core/kernel/settings/of-plugins.ts'
import type { ResolvedSettings, SettingsSources } from '../../core/kernel/settings/resolve.ts'
import type {} from '../transport/unix/api.ts'
import { usageFail } from './arguments.ts'
import { checkMachine } from './check-machine.ts'
import { misspelt } from './environment.ts'

/** Reads the sources of settings. `config` is the file that `--config` names. */
export type ReadSources = (config: string | undefined) => SettingsSources

/** The commands for a registry. Invalid settings give the same messages and exit code as at a start. */
export function configCommands(registry: Registry<Plugin>, read: ReadSources): Command[] {
  const resolve = (io: CommandIo): ResolvedSettings => {
    const from = read(io.config)
    const settings = readSettings(registry, from)
    for (const [name, meant] of misspelt(from.environment ?? {}, Object.keys(settingsTable(registry.plugins))))
      io.err(`warning: ${name}: no such setting; did you mean ${meant}?`)
    for (const { source, message } of settings.warnings) io.err(`warning: ${source}: ${message}`)
    return settings
  }
  const configured = ({ values, sourceNames }: ResolvedSettings): readonly SettingInForce[] =>
    settingsInForce(settingsTable(registry.plugins), values, sourceNames)
  return [
    {
      name: 'check-config',
      summary: 'checks the settings, and this machine for them, without starting the service',
      help: `Usage: svc check-config [--config <file.json>] [--settings-only]

Reads the settings as a start does: defaults, the file, the environment. Then looks on this machine for what a start would refuse:
folders and their modes, files, the store, ports that are taken. Run it as the user of the service. Prints everything that is wrong
at once and exits with 78, or says that the settings are right and exits with 0. Each port is bound for a moment; no file is written.
What a running service with the same storage.dir or socket holds is no error. --settings-only looks at the settings alone, for those
of another machine.`,
      run: async (args, io) => {
        const chosen = readOptions(args, ['settings-only'])
        const settings = resolve(io)
        if (chosen['settings-only'] !== true) await checkMachine(registry, settings, io)
        io.out(`The settings are right. ${setCount(settings.sourceNames.size)}; svc print-config shows all of them.`)
        return 0
      },
    },
    {
      name: 'print-config',
      summary: 'every setting with its value and where that comes from; secrets are hidden',
      help: `Usage: svc print-config [--config <file.json>] [--running] [--json] [--set]

Prints every setting of this profile with its value and its source: "default", the file, or a variable of the
environment. --set shows only those that some source sets. Secrets are shown as [redacted]. A new value of a setting that is marked
SIGHUP takes effect without a restart when the service gets that signal. SIGHUP (contents) marks a file that is read again at the
signal; another path needs a restart. --running asks the running service over its socket for the values that are in force, which differ
from the file until a restart or a SIGHUP.`,
      run: async (args, io) => {
        const chosen = readOptions(args, ['running', 'json', 'set'])
        const all = chosen.running === true ? await askRunning(io) : configured(resolve(io))
        const rows = all.filter(({ source }) => chosen.set !== true || source !== 'default')
        if (chosen.json === true) {
          const byKey = rows.map(({ key, ...row }) => [key, row])
          io.out(withoutCredentials(toJsonText(Object.fromEntries(byKey), 2)))
        } else for (const line of aligned(rows)) io.out(withoutCredentials(line))
        return 0
      },
    },
    {
      name: 'config',
      summary: 'diff: the settings that differ from their defaults; secrets are hidden',
      help: `Usage: svc config diff [--config <file.json>] [--json]

Prints each setting whose value is not its default, with the default, the value and the source. A setting that a source sets to its
default is left out; svc print-config --set has it. Secrets are shown as [redacted]. SIGHUP marks what can change without a restart.`,
      run: async ([verb, ...args], io) => {
        if (verb !== 'diff') {
          const got = verb === undefined ? 'The verb is missing' : `There is no "svc config ${verb}"`
          throw usageFail('ERR_USAGE', { message: `${got}. The verb is diff.`, hint: 'svc config diff' })
        }
        const chosen = readOptions(args, ['json'])
        const rows = differences(settingsTable(registry.plugins), resolve(io))
        if (chosen.json === true) {
          const byKey = rows.map(({ key, ...row }) => [key, row])
          io.out(withoutCredentials(toJsonText(Object.fromEntries(byKey), 2)))
        } else if (rows.length === 0) io.out('Every setting has its default.')
        else
          for (const { key, from, to, source, reload } of rows)
            io.out(
              withoutCredentials(`${key}: ${JSON.stringify(from)} → ${JSON.stringify(to)}  (${source})${mark(reload)}`),
            )
        return 0
      },
    },
  ]
}

function setCount(count: number): string {
  return count === 1 ? 'One setting is set' : `${count} settings are set`
}

/** The settings in force of the service on the configured socket. */
async function askRunning(io: CommandIo): Promise<readonly SettingInForce[]> {
  const local = io.find('LocalService')
  if (local === undefined)
    throw usageFail('ERR_USAGE', { message: '--running asks the local surface, which this profile does not have.' })
  const { settings } = await local().get<{ readonly settings: readonly SettingInForce[] }>('/api/v1/admin/settings')
  return settings
}

/** A setting whose value is not its default. */
interface Difference {
  readonly key: string
  readonly from: unknown
  readonly to: unknown
  readonly source: string
  readonly reload?: Reload
}

/** What can change without a restart: the value, or the contents of the file that the value names. */
type Reload = true | 'contents'

/** The member `reload` if a setting, or the file that it names, can change without a restart, otherwise no member. */
function reloads({ reload = false }: Setting<unknown>): { readonly reload?: Reload } {
  return reload === false ? {} : { reload }
}

function mark(reload: Reload | undefined): string {
  if (reload === undefined) return ''
  return reload === true ? '  SIGHUP' : '  SIGHUP (contents)'
}

/** The settings for which a source gives another value than the default, sorted by key. */
function differences(table: ReturnType<typeof settingsTable>, { values, sourceNames }: ResolvedSettings): Difference[] {
  return Object.entries(table)
    .map(([key, setting]) => ({
      key,
      from: setting.default ?? null,
      to: values[key],
      source: sourceNames.get(key) ?? '',
      ...reloads(setting),
    }))
    .filter(({ key, from, to }) => sourceNames.has(key) && JSON.stringify(from) !== JSON.stringify(to))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

interface ChosenOptions {
  readonly running?: boolean
  readonly json?: boolean
  readonly set?: boolean
  readonly 'settings-only'?: boolean
}

/** @throws SvcError `ERR_USAGE` */
function readOptions(args: readonly string[], flags: readonly (keyof ChosenOptions)[]): ChosenOptions {
  const options = Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }]))
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (cause) {
    const names = ['config <file.json>', ...flags].map((name) => `--${name}`)
    throw usageFail('ERR_USAGE', { message: `The options here are ${names.join(', ')}.`, cause })
  }
}

function aligned(
  rows: readonly { readonly key: string; readonly value: unknown; readonly source: string; readonly reload?: Reload }[],
): string[] {
  const shown = rows.map(
    ({ key, value, source, reload }) => [key, JSON.stringify(value), source + mark(reload)] as const,
  )
  const width = (at: 0 | 1): number => Math.min(60, Math.max(0, ...shown.map((row) => row[at].length)))
  const [first, second] = [width(0), width(1)]
  return shown.map(([key, value, source]) => `${key.padEnd(first)}  ${value.padEnd(second)}  ${source}`)
}
