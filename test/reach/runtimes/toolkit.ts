/** The steps of `svc-build`. The runtime starts it, and it continues with the Node of its package. */
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../support/child.ts'
import { isPacked, unpacked } from '../../toolkit/rig.ts'
import type { Project } from '../project.ts'
import { ok, runSteps, type StepResult, same } from '../suite/runner.ts'

/** Steps that print the help, write a profile and bundle it. */
export async function toolkitSteps(
  program: string,
  args: readonly string[],
  { folder }: Project,
): Promise<readonly StepResult[]> {
  if (!isPacked) throw new Error('make package has not been run')
  symlinkSync(join(await unpacked(), 'node_modules/svc-toolkit'), join(folder, 'node_modules/svc-toolkit'))
  const command = join(folder, 'node_modules/svc-toolkit/svc-build.js')
  const run = async (...words: readonly string[]): Promise<string> => {
    const env = { HOME: folder, PATH: process.env['PATH'] ?? '', NO_COLOR: '1' }
    const child = startChild(program, { args: [...args, command, ...words], cwd: folder, env })
    const { code } = await child.exited
    same(`exit code of ${words.join(' ')} ${child.err.slice(-500)}`, code, 0)
    return child.out
  }
  return runSteps([
    { name: 'helps', work: async () => ok('the commands are listed', /^ {2}build {2}/m.test(await run('--help'))) },
    {
      name: 'writes a profile',
      work: async () => {
        await run('init')
        ok('edge.ts is there', existsSync(join(folder, 'edge.ts')))
      },
    },
    { name: 'bundles it', work: () => run('build', 'edge.ts', 'bundle') },
  ])
}
