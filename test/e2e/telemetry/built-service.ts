/** A shipped program, started for a test. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secret } from '../../conformance/caller.ts'
import { type Child, startChild } from '../../support/child.ts'

/** The path of the program of `server-full`. */
export const shippedProgram: string = new URL('../../../dist/server-full/svc.mjs', import.meta.url).pathname

/** The reason why the program cannot be started. Undefined if it can. */
export const unbuilt: string | undefined = existsSync(shippedProgram)
  ? undefined
  : 'dist/server-full has not been built'

/** The environment of a program that keeps all its files in a folder. */
export const startEnvironment = (folder: string): Record<string, string> => ({
  HOME: folder,
  SVC_SERVER__PORT: '0',
  SVC_SECURITY__JWT_SECRET: secret,
  SVC_STORAGE__DIR: join(folder, 'state'),
  XDG_RUNTIME_DIR: folder,
})

/** A running program. */
export interface BuiltService {
  readonly child: Child
  readonly base: string
  readonly port: number
  /** The private folder of the program. */
  readonly folder: string
  /** Runs a subcommand of the same program with the same settings. Fails if its exit code is not 0. */
  command(...args: string[]): Promise<string>
  /** Stops the program and deletes its folder. Fails if the exit code is not 0. */
  stop(): Promise<void>
}

/**
 * Starts a program, by default `server-full`, on a free port with the secret of the conformance suites.
 */
export async function startBuilt(
  environment: Record<string, string> = {},
  program: string = shippedProgram,
): Promise<BuiltService> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-e2e-'))
  const env = { ...startEnvironment(folder), ...environment }
  const child = startChild(process.execPath, { args: ['--disable-warning=ExperimentalWarning', program], env })
  try {
    const [, found] = await child.waitFor(/Listening\.[\s\S]*?address(?:":"|: |=)127\.0\.0\.1:(\d+)/)
    const port = Number(found)
    return {
      child,
      port,
      base: `http://127.0.0.1:${port}`,
      folder,
      command: async (...args) => {
        const run = startChild(process.execPath, {
          args: ['--disable-warning=ExperimentalWarning', program, ...args],
          env,
        })
        const { code } = await run.exited
        if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}\n${run.err}`)
        return run.out
      },
      stop: async () => {
        const { code } = await child.stop()
        rmSync(folder, { recursive: true, force: true })
        if (code !== 0) throw new Error(`exit code ${code}\n${child.out}\n${child.err}`)
      },
    }
  } catch (error) {
    await child.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
