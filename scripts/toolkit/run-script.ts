/** Runs a script of the project with this Node, as in a checkout, and passes its output on. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loaderArgs, root } from '../build/paths.ts'
import { toolFail } from './errors.ts'
import type { ToolIo } from './tool.ts'

/** The exit code of a script, and its output if that did not go to stdout. */
export interface Ran {
  readonly code: number
  readonly said: string
}

/**
 * Runs a script. In `--json` mode its output goes to stderr and is returned.
 * @throws SvcError `ERR_TOOL_FAILED` if this copy of the toolkit does not contain the script
 */
export async function runScript(path: string, args: readonly string[], io: ToolIo): Promise<Ran> {
  const file = join(root, path)
  if (!existsSync(file)) {
    throw toolFail('ERR_TOOL_FAILED', {
      message: `${path} is not in this copy of the toolkit.`,
      hint: 'Call it in a checkout of the project.',
    })
  }
  const flags = ['--disable-warning=ExperimentalWarning', ...loaderArgs]
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ['inherit', io.json ? 'pipe' : 'inherit', 'inherit'],
  })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    process.stderr.write(chunk)
  })
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  try {
    return await new Promise<Ran>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code: code ?? 1, said }))
    })
  } finally {
    process.off('SIGINT', forward).off('SIGTERM', forward)
  }
}
