/** What a sub-command of `svc-build` is. */
import type { ParseArgsConfig } from 'node:util'

/** An option of a sub-command, as `parseArgs` of Node takes it, with a line for the help. */
export interface ToolOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  /** What the value is, in the help: `FILE`. */
  readonly value?: string
  readonly summary: string
}

/** Where a sub-command writes to. In `--json` mode `out` is silent: the document says it all. */
export interface ToolIo {
  /** Writes a line of results to stdout. */
  out(line: string): void
  /** Says what is going on: one line that changes on a terminal, a line each elsewhere; on stderr. */
  step(text: string): void
  /** Writes a line for a person to stderr, which stays. */
  note(line: string): void
  readonly json: boolean
  /** Whether stdout may be coloured. */
  readonly color: boolean
}

/** What a sub-command was called with. */
export interface ToolCall {
  readonly words: readonly string[]
  /** The value of an option that takes one. */
  value(name: string): string | undefined
  /** The values of an option that may be given several times or with commas between them. */
  values(name: string): readonly string[]
  flag(name: string): boolean
  readonly io: ToolIo
}

/** How it ended. */
export interface Outcome {
  /** The document of `--json`. */
  readonly json: unknown
  /** 0 where absent; 1 says that the answer is no. */
  readonly code?: number
}

/** One sub-command. */
export interface Tool {
  /** What stands behind its name: `<profile>… [stage]`. */
  readonly usage: string
  /** What it does, in a few lines. */
  readonly about: string
  /** A command line that works, and what it is for. */
  readonly example: string
  readonly options?: Readonly<Record<string, ToolOption>>
  /** Fewest and most words. */
  readonly words: readonly [number, number]
  /** @throws SvcError what is wrong, which the runner shows */
  run(call: ToolCall): Promise<Outcome>
}

/** Options as `parseArgs` takes them. */
export function toParseOptions(options: Readonly<Record<string, ToolOption>>): ParseArgsConfig['options'] {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  )
}

/** What every sub-command takes. */
export const common: Readonly<Record<string, ToolOption>> = {
  json: { type: 'boolean', summary: 'one JSON document on stdout instead of text' },
  help: { type: 'boolean', summary: 'this text' },
}
