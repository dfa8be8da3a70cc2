/** Subcommands of the command line, which features contribute. */

/** What a command runs with. */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The file that `--config` names. */
  readonly config: string | undefined
  /** Writes a line of results. */
  out(line: string): void
  /** Writes a line for a person: messages, progress, errors. */
  err(line: string): void
  /** Values of settings by full key, resolved from the usual sources. */
  setting(key: string): unknown
}

/** One subcommand, such as `svc token`. */
export interface Command {
  readonly name: string
  /** One line for `svc --help`. */
  readonly summary: string
  /** The whole text of `svc <name> --help`. */
  readonly help: string
  /** Runs with the arguments behind the name; gives the exit code: 0 done, 1 failed, 64 wrong usage. */
  run(args: readonly string[], io: CommandIo): Promise<number>
}
