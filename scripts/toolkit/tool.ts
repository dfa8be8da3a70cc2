/** The types of a sub-command of `svc-build`. */
import type { ParseArgsConfig } from 'node:util'

/** An option of a sub-command, in the form of Node's `parseArgs`, with a line for the help. */
export interface ToolOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  /** Placeholder of the value in the help, such as `FILE`. */
  readonly value?: string
  readonly summary: string
}

/** The output of a sub-command. In `--json` mode `out` writes nothing, because the document contains all results. */
export interface ToolIo {
  /** Writes a line of results to stdout. */
  out(line: string): void
  /** Shows progress on stderr: one line that is replaced on a terminal, otherwise one line per step. */
  step(text: string): void
  /** Writes a permanent line to stderr. */
  note(line: string): void
  readonly json: boolean
  /** Whether stdout may be coloured. */
  readonly color: boolean
}

/** The arguments of a sub-command. */
export interface ToolCall {
  readonly words: readonly string[]
  /** The last value of an option; undefined if the option was not given. */
  value(name: string): string | undefined
  /** The values of an option that can be given several times or as a comma-separated list. */
  values(name: string): readonly string[]
  flag(name: string): boolean
  readonly io: ToolIo
}

/** The result of a sub-command. */
export interface Outcome {
  /** The document of `--json`. */
  readonly json: unknown
  /** The exit code, by default 0; 1 means that the answer is no. */
  readonly code?: number
}

/** One sub-command. */
export interface Tool {
  /** The arguments after the name of the sub-command: `<profile>… [stage]`. */
  readonly usage: string
  /** The description, in a few lines. */
  readonly about: string
  /** A working command line, with a comment. */
  readonly example: string
  readonly options?: Readonly<Record<string, ToolOption>>
  /** Lowest and highest number of words. */
  readonly words: readonly [number, number]
  /** @throws SvcError an error that the runner shows */
  run(call: ToolCall): Promise<Outcome>
}

/** Options in the form that `parseArgs` expects. */
export function toParseOptions(options: Readonly<Record<string, ToolOption>>): ParseArgsConfig['options'] {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  )
}

/** The options of every sub-command. */
export const common: Readonly<Record<string, ToolOption>> = {
  json: { type: 'boolean', summary: 'one JSON document on stdout instead of text' },
  help: { type: 'boolean', summary: 'this text' },
}
