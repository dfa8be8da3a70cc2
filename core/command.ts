/** Subcommands of the command line, which features contribute. */

import type { CommandCapabilities, StorePart } from './capabilities.ts'
import type { Manifest } from './manifest.ts'
import { printable } from './printable.ts'
import { nearest } from './settings/suggest.ts'

export type { CommandCapabilities } from './capabilities.ts'

/** Thrown by a command whose arguments are wrong: the message is printed with the line of its help that fits, and the exit code is 64. */
export class UsageError extends Error {}

/** The action that the first argument of a command names. @throws UsageError for none, or for one that is not there */
export function actionNamed<Action>(name: string | undefined, actions: Readonly<Record<string, Action>>): Action {
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action !== undefined) return action
  const names = Object.keys(actions)
  if (name === undefined) throw new UsageError(`what to do? ${names.join(', ')}`)
  const near = nearest(name, names)
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`
  throw new UsageError(`there is no "${printable(name)}": ${hint}`)
}

/** Why a command did not do what it was asked for: a refusal of the service, or of the command itself. */
export class CommandRefusal extends Error {
  /** As the service has it, or in its manner. */
  readonly code: string
  /** The members of the service's refusal. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What a command runs with. */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The file that `--config` names. */
  readonly config: string | undefined
  /** What this build says of itself. */
  readonly manifest: Manifest
  /** What the features of this build keep in the store. */
  readonly storeParts: readonly StorePart[]
  /** Writes a line of results. */
  out(line: string): void
  /** Writes a line for a person: messages, progress, errors. */
  err(line: string): void
  /** Values of settings by full key, resolved from the usual sources. */
  setting(key: string): unknown
  /** What a command of another family gives; its feature is one that the asking feature requires. */
  use<N extends keyof CommandCapabilities>(name: N): CommandCapabilities[N]
  /** The same of a feature that may be in this build or not. */
  find<N extends keyof CommandCapabilities>(name: N): CommandCapabilities[N] | undefined
}

/** What a feature gives to commands of other families, made for the one that asks. */
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
   * Runs with the arguments behind the name; gives the exit code: 0 done, 1 failed. What it throws is told on stderr, and is
   * 64 for wrong usage (a `UsageError`, or what `parseArgs` throws), else 1.
   */
  run(args: readonly string[], io: CommandIo): Promise<number>
}
