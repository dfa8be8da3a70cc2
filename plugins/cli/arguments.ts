/** Reads the command line. */
import { parseArgs } from 'node:util'
import type { Command } from '../../core/declare/command.ts'
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'
import { nearest } from '../../core/kernel/nearest.ts'
import { meantOption } from './run-command.ts'

/** The action that the command line asks for. */
export type Invocation =
  | { readonly kind: 'help' | 'version' }
  | {
      readonly kind: 'command'
      readonly command: Command
      readonly args: readonly string[]
      readonly config: string | undefined
    }
  | { readonly kind: 'serve'; readonly config: string | undefined; readonly overrides: readonly Override[] }

/** A setting given on the command line. */
export interface Override {
  readonly name: string
  readonly key: string
  readonly value: unknown
}

/** Wrong usage; the exit code is 64. */
export const usageFail: ErrorCatalogue<'ERR_USAGE'> = defineErrors({
  ERR_USAGE: { message: 'The command line is not understood.', hint: 'svc --help shows what there is.' },
})

/**
 * Reads arguments against the commands of the profile.
 * @throws SvcError `ERR_USAGE`
 */
export function readArguments(argv: readonly string[], commands: readonly Command[]): Invocation {
  const [first] = argv
  if (first !== undefined && !first.startsWith('-')) return readCommand(first, argv.slice(1), commands)
  // Without arguments nothing is parsed: loading `node:util` would add half a millisecond to the start.
  if (first === undefined) return { kind: 'serve', config: undefined, overrides: [] }
  const { values } = parse(argv)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const { mode, tcp } = values
  if (mode === 'openapi' && commands.some(({ name }) => name === mode)) return readCommand(mode, [], commands)
  const overrides: Override[] = []
  if (mode !== undefined) overrides.push({ name: '--mode', key: 'server.mode', value: mode })
  if (tcp !== undefined) overrides.push({ name: '--tcp', key: 'sync.tcp', value: tcp })
  if (values['token-file'] !== undefined) {
    overrides.push({ name: '--token-file', key: 'sync.token_file', value: values['token-file'] })
  }
  return { kind: 'serve', config: values.config, overrides }
}

function parse(argv: readonly string[]): {
  values: { help?: boolean; version?: boolean; mode?: string; config?: string; tcp?: string; 'token-file'?: string }
} {
  const options = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'V' },
    mode: { type: 'string' },
    config: { type: 'string' },
    tcp: { type: 'string' },
    'token-file': { type: 'string' },
  } as const
  try {
    return parseArgs({ args: [...argv], options })
  } catch (cause) {
    const { message } = cause as Error
    const near = meantOption(
      message,
      Object.keys(options).map((name) => `--${name}`),
    )
    throw usageFail('ERR_USAGE', {
      message: `${message.split('. ')[0]}.`,
      ...(near === undefined ? {} : { hint: `Did you mean ${near}?` }),
      cause,
    })
  }
}

function readCommand(name: string, args: readonly string[], commands: readonly Command[]): Invocation {
  const command = commands.find((one) => one.name === name)
  if (command !== undefined) return { kind: 'command', command, ...takeConfig(args) }
  const names = commands.map((one) => one.name)
  const near = nearest(name, names)
  throw usageFail('ERR_USAGE', {
    message: `There is no command "${name}" in this profile.`,
    hint: near === undefined ? `The commands are: ${names.join(', ')}.` : `Did you mean ${near}?`,
  })
}

/**
 * Removes `--config` from the arguments of a command, because the program itself reads this option for every command.
 */
function takeConfig(args: readonly string[]): {
  readonly args: readonly string[]
  readonly config: string | undefined
} {
  const end = args.indexOf('--')
  const at = args.findIndex((one, index) => (end < 0 || index < end) && /^--config(?:=|$)/.test(one))
  if (at < 0) return { args, config: undefined }
  const joined = args[at] !== '--config'
  const config = joined ? args[at]!.slice('--config='.length) : args[at + 1]
  if (config === undefined) throw usageFail('ERR_USAGE', { message: '--config needs the path of a file.' })
  return { args: args.toSpliced(at, joined ? 1 : 2), config }
}
