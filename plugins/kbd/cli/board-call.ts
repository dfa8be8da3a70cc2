/** The arguments of the actions of `svc board`, and the parts that each action gets. */
import { parseArgs } from 'node:util'
import { type CommandIo, UsageError } from '../../../core/declare/command.ts'
import type { BoardActions } from './api.ts'

const OPTIONS = {
  project: { type: 'string' },
  key: { type: 'string' },
  socket: { type: 'string' },
  json: { type: 'boolean' },
  board: { type: 'string' },
  columns: { type: 'string' },
  column: { type: 'string' },
  label: { type: 'string', multiple: true },
  remove: { type: 'string', multiple: true },
  title: { type: 'string' },
  body: { type: 'string' },
  priority: { type: 'string' },
  assignee: { type: 'string' },
  minutes: { type: 'string' },
  agent: { type: 'string' },
  force: { type: 'boolean' },
  choose: { type: 'string' },
  peer: { type: 'string' },
  value: { type: 'string' },
  all: { type: 'boolean' },
} as const

/** The options of a call. */
export interface Values {
  readonly project?: string | undefined
  readonly key?: string | undefined
  readonly socket?: string | undefined
  readonly json?: boolean | undefined
  readonly board?: string | undefined
  readonly columns?: string | undefined
  readonly column?: string | undefined
  readonly label?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly priority?: string | undefined
  readonly assignee?: string | undefined
  readonly minutes?: string | undefined
  readonly agent?: string | undefined
  readonly force?: boolean | undefined
  readonly choose?: string | undefined
  readonly peer?: string | undefined
  readonly value?: string | undefined
  readonly all?: boolean | undefined
}

/** Options and names of a call. */
export function readArguments(args: readonly string[]): {
  readonly values: Values
  readonly positionals: readonly string[]
} {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
}

/** The parts that an action gets. */
export interface Call {
  readonly board: BoardActions
  readonly values: Values
  readonly names: readonly string[]
  readonly io: CommandIo
}

/** One action of `svc board`. */
export type Action = (call: Call) => Promise<void>

/** The names of an action that takes none. Throws `UsageError` if there are some. */
export function takeNone(names: readonly string[]): void {
  if (names.length > 0) throw new UsageError('this action takes no argument')
}

/** The name of an action that takes one. Throws `UsageError` if there are more or fewer. */
export function takeOne(names: readonly string[]): string {
  const [name, ...more] = names
  if (name === undefined || more.length > 0) throw new UsageError('this action takes 1 argument')
  return name
}

/** The names of an action that takes two. Throws `UsageError` if there are more or fewer. */
export function takeTwo(names: readonly string[]): readonly [string, string] {
  const [first, second, ...more] = names
  if (first === undefined || second === undefined || more.length > 0)
    throw new UsageError('this action takes 2 arguments')
  return [first, second]
}
