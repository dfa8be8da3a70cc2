/** Wrong usage: the message names the wrong word, with the matching line of the help. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { actionNamed, type Command, type CommandIo, UsageError } from '../../../core/declare/command.ts'
import { runCommand } from '../../../plugins/cli/run-command.ts'

const HELP = `Usage: svc store info [--json]
       svc store backup <file>

What is in the store. svc store never --shown.`

/** Runs a command that throws, and returns its exit code and its output. */
async function run(error: unknown, args: readonly string[]): Promise<[code: number, lines: string[]]> {
  const lines: string[] = []
  const command: Command = {
    name: 'store',
    summary: 'a store',
    help: HELP,
    run: () => {
      throw error
    },
  }
  const io = { err: (line: string) => void lines.push(line) } as CommandIo
  return [await runCommand(command, args, io), lines]
}

test('an action is found by its name; an unknown name is refused with the nearest name or all names', () => {
  const actions = { backup: 1, info: 2 }
  assert.is(actionNamed('info', actions), 2)
  const refused = (name: string | undefined, message: string): void =>
    assert.throws(
      () => actionNamed(name, actions),
      (error: unknown) => error instanceof UsageError && error.message === message,
    )
  refused(undefined, 'what to do? backup, info')
  refused('backpu', 'there is no "backpu": did you mean backup?')
  refused('constructor', 'there is no "constructor": there are backup, info')
  refused('\u001b[2J', 'there is no "\\u{1b}[2J": there are backup, info')
})

test('wrong usage is reported with the matching line of the help, not with the whole help', async () => {
  const all = '  Help: svc store --help'
  assert.equal(await run(new UsageError('name one file'), ['backup']), [
    64,
    ['svc store: name one file', '  Usage: svc store backup <file>', all],
  ])
  assert.equal(await run(new UsageError('what?'), ['--x']), [
    64,
    ['svc store: what?', '  Usage: svc store info [--json]', all],
  ])
  const unknown = Object.assign(
    new TypeError(`Unknown option '--jsno'. To specify a positional argument starting with a '-', place it at the end`),
    { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' },
  )
  assert.equal(await run(unknown, ['info', '--jsno']), [
    64,
    ["svc store: Unknown option '--jsno'", '  → Did you mean --json?', '  Usage: svc store info [--json]', all],
  ])
  assert.equal(await run(new Error('no room'), ['info']), [1, ['svc store: no room']])
})

test.run()
