/** Bare esbuild: one context for the folded sources of the program, and a start of Node with its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { context } from 'esbuild'
import { createDevToken } from '../../../plugins/auth/token/dev-token.ts'
import { esbuildOptions } from '../../build/bundle/esbuild-options.ts'
import { workerText } from '../../build/generate/carried.ts'
import { foldDefines } from '../../build/generate/fold-defines.ts'
import { generateTarget } from '../../build/generate/generate.ts'
import { jsonText, lazyBuiltins } from '../../build/generate/lazy-builtins.ts'
import { withoutAbout } from '../../build/generate/without-about.ts'
import { buildDir, root } from '../../build/paths.ts'
import { toDefineText } from '../../build/plan/defines.ts'
import { plan } from '../../build/plan/plan.ts'
import { freePort } from '../../free-port.ts'

/** A server that answers with the content of a saved file. */
export interface Contestant {
  /** Milliseconds from `save` to the first answer that contains `wanted`. */
  round(save: () => void, wanted: string): Promise<number>
  close(): Promise<void>
}

const secret = randomBytes(32).toString('hex')

/** The environment of both services: that of this process, and the secret that signs the token of the requests. */
export const environment: NodeJS.ProcessEnv = { ...process.env, SVC_SECURITY__JWT_SECRET: secret }

/** Opens an esbuild context for the program of a profile. */
export async function openBare(profile: string): Promise<Contestant> {
  const planned = await plan(profile)
  const target = planned.targets.find(({ form }) => form === 'main')!
  const { files } = generateTarget(planned, target)
  // At the same depth as the generated folder, because the generated imports are relative.
  const folder = join(buildDir(`${planned.profile.name}-bare`), 'main')
  mkdirSync(folder, { recursive: true })
  for (const name of ['entry.ts', 'registry.ts', 'manifest.ts']) {
    const text = name === 'manifest.ts' ? files[name]! : await foldDefines(files[name]!, toDefineText(target.defines))
    writeFileSync(join(folder, name), text)
  }
  // The toolkit bundles a program as a CommonJS script, so the extension is `.cjs`.
  const outfile = join(folder, 'svc.cjs')
  const session = await context({
    ...esbuildOptions(target),
    absWorkingDir: root,
    entryPoints: [join(folder, 'entry.ts')],
    plugins: [lazyBuiltins(root), jsonText(), withoutAbout(), workerText()],
    outfile,
    logLevel: 'silent',
  })
  let child: ChildProcess | undefined
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    round: async (save, wanted) => {
      await stop()
      const port = await freePort()
      const sinceMs = performance.now()
      save()
      await session.rebuild()
      child = spawn(process.execPath, [outfile], {
        stdio: 'ignore',
        env: { ...environment, SVC_SERVER__PORT: String(port) },
      })
      return (await untilServed(port, wanted)) - sinceMs
    },
    close: async () => {
      await stop()
      await session.dispose()
      rmSync(buildDir(`${planned.profile.name}-bare`), { recursive: true, force: true })
    },
  }
}

/**
 * Requests the second quote until it contains `wanted`. Returns the time of that answer in milliseconds of the
 * monotonic clock.
 */
export async function untilServed(port: number, wanted: string): Promise<number> {
  const token = await createDevToken({ sub: 'bench', settings: { security: { jwt_secret: secret } } })
  const headers = { connection: 'close', authorization: `Bearer ${token}` }
  const lastMs = performance.now() + 60_000
  while (performance.now() < lastMs) {
    const text = await fetch(`http://127.0.0.1:${port}/edge/quote/1`, { headers }).then(
      (answer) => answer.text(),
      () => '',
    )
    if (text.includes(wanted)) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`"${wanted}" was not served within a minute`)
}
