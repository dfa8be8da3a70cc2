/** Runs command cases on a program. Each case has its own folder and a minimal environment. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { CommandCase, Exits, Program, Ran } from '../../core/testing/contract.ts'
import type { TargetPlan } from '../../scripts/build/plan/target-plan.ts'
import { type ChildExit, startChild } from '../support/child.ts'
import { contains } from './expect.ts'
import { complete } from './settings.ts'

/** The longest time that a command may take, in milliseconds. */
const COMMAND_LIMIT_MS = 20_000

/** Runs a case on a program. `command` is the command line that starts the program. */
export async function runCommandCase(command: readonly string[], target: TargetPlan, one: CommandCase): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-conformance-')))
  try {
    mkdirSync(join(folder, 'home'), { mode: 0o700 })
    const program: Program = { folder, run: (args) => run([...command, ...args], folder, target, one.given ?? {}) }
    if (one.dialogue !== undefined) await one.dialogue(program)
    else checkExit(await program.run(one.command!), one.exits as Exits)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Checks that a profile without a program ships none of these files. */
export function checkNoProgram(files: readonly string[]): void {
  for (const file of files) assert.not.ok(existsSync(file), `${file} exists`)
}

async function run(
  [file, ...args]: readonly string[],
  folder: string,
  target: TargetPlan,
  given: Readonly<Record<string, unknown>>,
): Promise<Ran> {
  const settings = complete(target, given)
  if (target.manifest.settings.includes('storage.dir')) settings['storage.dir'] ??= join(folder, 'state')
  const env = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `SVC_${key.replaceAll('.', '__').toUpperCase()}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const child = startChild(file!, { args, cwd: folder, env: { HOME: join(folder, 'home'), NO_COLOR: '1', ...env } })
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_LIMIT_MS)
  const { code }: ChildExit = await child.exited.finally(() => clearTimeout(timer))
  return { code, stdout: child.out, stderr: child.err }
}

function checkExit(ran: Ran, expected: Exits): void {
  const shown = `exit code ${ran.code}\n${ran.stdout}\n${ran.stderr}`
  assert.is(ran.code, expected.code, shown)
  for (const stream of ['stdout', 'stderr'] as const) {
    const wanted = expected[stream]
    if (typeof wanted === 'string') assert.is(ran[stream], wanted, shown)
    else if (wanted instanceof RegExp) assert.match(ran[stream], wanted, shown)
    else if (wanted !== undefined)
      assert.ok(contains(JSON.parse(ran[stream]), wanted), `${JSON.stringify(wanted)} is not in ${shown}`)
  }
}
