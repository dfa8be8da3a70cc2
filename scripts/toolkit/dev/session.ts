/** Bundles the program of a profile repeatedly, and keeps the parsed files between builds. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Bundle, type Bundler, openBundler } from '../../build/bundle/bundle.ts'
import { generate, outputName } from '../../build/generate/generate.ts'
import { toProgramFile } from '../../build/generate/program-file.ts'
import { forgetModules } from '../../build/modules/read-module.ts'
import { buildDir, fileOfInput, inputPath, packagesAt } from '../../build/paths.ts'
import { plan } from '../../build/plan/plan.ts'
import type { Plan, TargetPlan } from '../../build/plan/target-plan.ts'
import { assetFiles } from '../../build/plan/target-plan.ts'
import { attribute, isGenerated } from '../../build/prove/attribute.ts'
import { toolFail } from '../errors.ts'

/** The result of one build. */
export interface DevBuild {
  readonly program: string
  readonly target: TargetPlan
  /** Minified bytes by owner. */
  readonly sizes: ReadonlyMap<string, number>
  /** Files whose change requires a new build: all inputs outside packages, and the files of the profile. */
  readonly files: readonly string[]
}

/** A development session. */
export interface Session {
  /** Bundles the current contents of the files, with the unchanged plan. */
  build(): Promise<DevBuild>
  /**
   * Plans again; can run at the same time as a build. Resolves to true if the result differs, so that a new build is
   * needed.
   */
  replan(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens a session.
 * @throws SvcError the errors of planning, and `ERR_TOOL_FAILED` if the profile has no program
 */
export async function openSession(profile: string): Promise<Session> {
  let current = await openProgram(profile)
  let building: Promise<unknown> = Promise.resolve()
  const build = async (): Promise<DevBuild> => {
    const { planned, bundler } = current
    const bundle = await bundler.bundle()
    const program = join(buildDir(planned.profile.name), 'dev', outputName(bundle.target))
    mkdirSync(dirname(program), { recursive: true })
    writeFileSync(program, toProgramFile(bundle.text))
    for (const [name, source] of Object.entries(assetFiles(bundle.target)))
      copyFileSync(source, join(dirname(program), name))
    return { program, target: bundle.target, sizes: sizesOf(planned, bundle), files: filesOf(planned, bundle) }
  }
  return {
    build: () => {
      const result = build()
      building = result.catch(() => undefined)
      return result
    },
    replan: async () => {
      forgetModules()
      const next = await openProgram(profile)
      const same = JSON.stringify(next.generated.files) === JSON.stringify(current.generated.files)
      // A running build still uses its bundler.
      await building
      await (same ? next : current).bundler.close()
      if (!same) current = next
      return !same
    },
    close: () => current.bundler.close(),
  }
}

async function openProgram(
  profile: string,
): Promise<{ planned: Plan; generated: ReturnType<typeof generate>[number]; bundler: Bundler }> {
  const planned = await plan(profile)
  const generated = generate(planned).find(({ target }) => target.form === 'main')
  if (generated === undefined) {
    throw toolFail('ERR_TOOL_FAILED', {
      message: `Profile ${planned.profile.name} has no program, so there is nothing to start.`,
      hint: 'A profile with `main` has one, such as one that extends minimal.',
    })
  }
  return { planned, generated, bundler: await openBundler(generated) }
}

function sizesOf(planned: Plan, { metafile, bytes }: Bundle): Map<string, number> {
  const sizes = new Map([['all', bytes]])
  for (const { owner, bytes: size } of attribute(planned, metafile)) sizes.set(owner, (sizes.get(owner) ?? 0) + size)
  return sizes
}

function filesOf({ profile }: Plan, { metafile, target }: Bundle): string[] {
  const read = Object.keys(metafile.inputs)
    .flatMap((input) => (isGenerated(input) ? [] : (fileOfInput(inputPath(input)) ?? [])))
    .filter((file) => packagesAt(file) < 0)
  const assets = Object.values(assetFiles(target)).filter((file) => packagesAt(file) < 0)
  return [...new Set([...profile.files, ...read, ...assets])]
}
