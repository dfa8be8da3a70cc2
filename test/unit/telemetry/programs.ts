/** Programs of the machine that some tests need. */
import { spawnSync } from 'node:child_process'

/** Whether a program is on the path. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined
}
