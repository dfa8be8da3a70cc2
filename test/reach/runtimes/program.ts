/** The steps of the package's command, run as a process of the runtime. */
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-port.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import type { Project } from '../project.ts'
import { settings } from '../suite/minimal.ts'
import { runSteps, type StepResult, same } from '../suite/runner.ts'

/** Starts the command with the runtime surface only, which needs no native addon, and stops it. */
export async function programSteps(
  program: string,
  args: readonly string[],
  { folder }: Project,
): Promise<readonly StepResult[]> {
  const port = await freePort()
  const env = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    SVC_SECURITY__JWT_SECRET: settings.security.jwt_secret,
    SVC_SERVER__PORT: String(port),
    SVC_STORAGE__DIR: join(folder, 'state'),
  }
  const start = (...more: readonly string[]): Child =>
    startChild(program, { args: [...args, join(folder, 'node_modules/svc/svc.js'), ...more], cwd: folder, env })
  let service: Child
  return runSteps([
    {
      name: 'prints its version',
      work: async () => {
        const child = start('--version')
        same('exit code', (await child.exited).code, 0)
      },
    },
    {
      name: 'starts',
      limitMs: 2 * WAIT_MS,
      work: async () => {
        service = start('--mode', 'runtime')
        await service.waitFor(/"Listening\."/, WAIT_MS)
      },
    },
    {
      name: 'answers',
      work: async () => same('status', (await fetch(`http://127.0.0.1:${port}/health`)).status, 200),
    },
    { name: 'ends on request', work: async () => same('exit code', (await service.stop()).code, 0) },
  ])
}
