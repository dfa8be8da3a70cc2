/** Bare esbuild: one context for the folded sources of the program, and a start of Node with its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { context } from 'esbuild'
import { esbuildOptions } from '../../build/bundle/esbuild-options.ts'
import { foldDefines } from '../../build/generate/fold-defines.ts'
import { generateTarget } from '../../build/generate/generate.ts'
import { jsonText } from '../../build/generate/json-text.ts'
import { lazyBuiltins } from '../../build/generate/lazy-builtins.ts'
import { withoutAbout } from '../../build/generate/without-about.ts'
import { workerText } from '../../build/generate/worker-text.ts'
import { buildDir, root } from '../../build/paths.ts'
import { toDefineText } from '../../build/plan/defines.ts'
import { plan } from '../../build/plan/plan.ts'
import { freePort } from '../../free-port.ts'
import { type Contestant, environment, untilServed } from './contestant.ts'

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
    const last = child
    if (last === undefined || last.exitCode !== null || last.signalCode !== null) return
    await new Promise((resolve) => {
      last.once('exit', resolve)
      last.kill('SIGKILL')
    })
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
      return (await untilServed(() => port, wanted)) - sinceMs
    },
    close: async () => {
      await stop()
      await session.dispose()
      rmSync(buildDir(`${planned.profile.name}-bare`), { recursive: true, force: true })
    },
  }
}
