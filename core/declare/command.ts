/** Subcommands of the command line. Features contribute them. */

import { nearest } from '../kernel/nearest.ts'
import { printable } from '../kernel/printable.ts'
import type { CommandCapabilities, StorePart } from './capabilities.ts'
import type { Manifest } from './manifest.ts'

export type { CommandCapabilities } from './capabilities.ts'

/**
 * Thrown by a command whose arguments are wrong. The message is printed with the matching line of its help; the exit
 * code is 64.
 *
 * @example
 * ```ts
 * import { UsageError } from 'svc/plugin'
 *
 * const run = (words: readonly string[]) => {
 *   if (words.length === 0) throw new UsageError('Say which quote.')
 * }
 * run(['7'])
 * ```
 */
export class UsageError extends Error {}

/**
 * The action that the first argument of a command names. @throws UsageError if there is no argument, or no such action
 */
export function actionNamed<Action>(name: string | undefined, actions: Readonly<Record<string, Action>>): Action {
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action !== undefined) return action
  const names = Object.keys(actions)
  if (name === undefined) throw new UsageError(`what to do? ${names.join(', ')}`)
  const near = nearest(name, names)
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`
  throw new UsageError(`there is no "${printable(name)}": ${hint}`)
}

/** Why a command did not do its work: a refusal by the service, or by the command itself. */
export class CommandRefusal extends Error {
  /** A code of the service, or one of the same form. */
  readonly code: string
  /** The members of the service's error envelope. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What the command line passes to a command. */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The path that `--config` gives. */
  readonly config: string | undefined
  /** The description of this build. */
  readonly manifest: Manifest
  /** All commands of this build. */
  readonly commands: readonly Pick<Command, 'name' | 'summary' | 'help'>[]
  /** What the features of this build keep in the store. */
  readonly storeParts: readonly StorePart[]
  /** Writes a line of results. */
  out(line: string): void
  /** Writes a line of messages, progress or errors, for a person. */
  err(line: string): void
  /** Values of settings by full key, from all sources. */
  setting(key: string): unknown
  /** What a command of another family provides. Its feature is one that this feature requires. */
  use<N extends keyof CommandCapabilities>(name: N): CommandCapabilities[N]
  /** The same for a feature that this build may lack; then undefined. */
  find<N extends keyof CommandCapabilities>(name: N): CommandCapabilities[N] | undefined
}

/** What a feature provides to commands of other families, made for each call. */
export interface CommandGifts {
  readonly gives?: { readonly [N in keyof CommandCapabilities]?: (io: CommandIo) => CommandCapabilities[N] }
}

/** One subcommand, such as `svc token`. */
export interface Command extends CommandGifts {
  readonly name: string
  /** One line for `svc --help`. */
  readonly summary: string
  /** The whole text of `svc <name> --help`. */
  readonly help: string
  /**
   * Runs with the arguments after the name. Returns the exit code: 0 done, 1 failed. An error is printed on stderr; the
   * exit code is then 64 for wrong usage (a `UsageError`, or an error of `parseArgs`), else 1.
   */
  run(args: readonly string[], io: CommandIo): Promise<number>
}
