/** The program: reads the command line, runs a command or the service, and sets the exit code. */

import type { Command, CommandGifts, CommandIo } from '../../core/declare/command.ts'
import { isSvcError } from '../../core/declare/errors.ts'
import type { Manifest, Registry } from '../../core/declare/manifest.ts'
import type { Plugin } from '../../core/declare/plugin.ts'
import { kernelFail } from '../../core/kernel/catalogue.ts'
import { settingsTable } from '../../core/kernel/settings/of-plugins.ts'
import { resolveSettings, type SettingsSources } from '../../core/kernel/settings/resolve.ts'
import { type Override, readArguments, usageFail } from './arguments.ts'
import { completionCommand } from './completion-command.ts'
import { configCommands } from './config-commands.ts'
import { readConfig } from './config-file.ts'
import { readEnvironment } from './environment.ts'
import { healthCommand } from './health-command.ts'
import { helpText } from './help.ts'
import { infoCommands } from './info-commands.ts'
import { runCommand } from './run-command.ts'
import { findRunningService } from './running-service.ts'
import { secretFiles } from './secret-file.ts'
import { serve } from './serve.ts'

/** Exit codes; 64 and 78 as in sysexits.h of BSD. */
const EXIT = { done: 0, failed: 1, usage: 64, configuration: 78 } as const

/** Runs the program with the plugins and commands of its profile. */
export async function main(
  registry: Registry<Plugin, Manifest>,
  contributions: readonly (Command | CommandGifts)[],
): Promise<void> {
  const commands = contributions.filter((one) => 'name' in one)
  try {
    process.exitCode = await run(registry, withOwn(registry, commands), contributions, process.argv.slice(2))
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** The commands of the features, and those that every program has. */
function withOwn(registry: Registry<Plugin, Manifest>, commands: readonly Command[]): readonly Command[] {
  const { manifest } = registry
  const builtInCommands = [...configCommands(registry, (config) => sources(config, [])), healthCommand(manifest)]
  const all = [...commands, ...builtInCommands, ...infoCommands(manifest)]
  return [...all, completionCommand(all)]
}

async function run(
  registry: Registry<Plugin, Manifest>,
  commands: readonly Command[],
  providers: readonly CommandGifts[],
  argv: readonly string[],
): Promise<number> {
  // Node writes U+FFFD in the place of bytes that are not UTF-8.
  if (argv.some((one) => one.includes('\ufffd'))) throw usageFail('ERR_USAGE', { message: 'An argument is not UTF-8.' })
  const invocation = readArguments(argv, commands)
  if (invocation.kind !== 'serve') endWithReader()
  switch (invocation.kind) {
    case 'help':
      console.log(helpText(registry.manifest, commands))
      return EXIT.done
    case 'version':
      console.log(registry.manifest.version)
      return EXIT.done
    case 'command': {
      const { command, args, config } = invocation
      if (args.includes('--help') || args.includes('-h')) console.log(command.help)
      else return runCommand(command, args, createIo(registry, commands, providers, config))
      return EXIT.done
    }
    case 'serve':
      return serve(registry, () => sources(invocation.config, invocation.overrides))
  }
}

/**
 * Ends a command when its output cannot be written: without an error if the reader closed the pipe
 * (`svc build-info | head`), otherwise with a message.
 */
function endWithReader(): void {
  process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(EXIT.done)
    console.error(`svc: The output cannot be written (${code ?? 'unknown error'}).`)
    process.exit(EXIT.failed)
  })
}

function createIo(
  registry: Registry<Plugin, Manifest>,
  commands: CommandIo['commands'],
  providers: readonly CommandGifts[],
  config: string | undefined,
): CommandIo {
  let values: Readonly<Record<string, unknown>> | undefined
  const io: CommandIo = {
    environment: process.env,
    config,
    manifest: registry.manifest,
    commands,
    storeParts: registry.storeParts,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    setting: (key) => {
      const file = config ?? findRunningService(registry.manifest.profile, process.env)
      values ??= resolveSettings(settingsTable(registry.plugins), sources(file, []), registry.absent.settings).values
      return values[key]
    },
    use: (name) => {
      const capability = io.find(name)
      if (capability === undefined) throw kernelFail('ERR_CAPABILITY_MISSING', { message: `No command gives ${name}.` })
      return capability
    },
    find: (name) => providers.find(({ gives }) => gives?.[name] !== undefined)?.gives?.[name]?.(io),
  }
  return io
}

function sources(config: string | undefined, overrides: readonly Override[]): SettingsSources {
  const base = { environment: readEnvironment(process.env), overrides, readSecret: secretFiles(config) }
  return config === undefined ? base : { ...base, config: { name: config, value: readConfig(config) } }
}

/** Writes an error to stderr, with a stack only for unexpected errors. */
function report(error: unknown): number {
  if (!isSvcError(error)) {
    console.error(error)
    return EXIT.failed
  }
  console.error(`svc: ${error.message}`)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  if (error.code === 'ERR_USAGE') return EXIT.usage
  return isConfigurationError(error) ? EXIT.configuration : EXIT.failed
}

function isConfigurationError(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isSvcError(at, 'ERR_SETTINGS_INVALID') || isSvcError(at, 'ERR_SETTING_UNUSABLE')) return true
  }
  return false
}
