/** Bundles the program of a profile again and again, with what was read kept between. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Bundle, type Bundler, openBundler } from '../../build/bundle/bundle.ts'
import { generate, outputName } from '../../build/generate/generate.ts'
import { toProgramFile } from '../../build/generate/program-file.ts'
import { forgetModules } from '../../build/modules/read-module.ts'
import { buildDir, fileOfInput, inputPath, packagesAt } from '../../build/paths.ts'
import { plan } from '../../build/plan/plan.ts'
import type { Plan, TargetPlan } from '../../build/plan/target-plan.ts'
import { attribute, isGenerated } from '../../build/prove/attribute.ts'
import { toolFail } from '../errors.ts'

/** The program as it was bundled last. */
export interface DevBuild {
  readonly program: string
  readonly target: TargetPlan
  /** Minified bytes by owner. */
  readonly sizes: ReadonlyMap<string, number>
  /** Files whose change means another build: all that were read and belong to no package, and the profile's own. */
  readonly files: readonly string[]
}

/** A session of development. */
export interface Session {
  /** Bundles what stands in the files now, with the plan as it was. */
  build(): Promise<DevBuild>
  /** Plans anew, beside a build or not; says whether that makes another program, so that it has to be built again. */
  replan(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens a session.
 * @throws SvcError what planning throws, and `ERR_TOOL_FAILED` where the profile has no program
 */
export async function openSession(profile: string): Promise<Session> {
  let current = await openProgram(profile)
  let building: Promise<unknown> = Promise.resolve()
  const build = async (): Promise<DevBuild> => {
    const { planned, bundler } = current
    const made = await bundler.bundle()
    const program = join(buildDir(planned.profile.name), 'dev', outputName(made.target))
    mkdirSync(dirname(program), { recursive: true })
    writeFileSync(program, toProgramFile(made.text))
    return { program, target: made.target, sizes: sizesOf(planned, made), files: filesOf(planned, made) }
  }
  return {
    build: () => {
      const made = build()
      building = made.catch(() => undefined)
      return made
    },
    replan: async () => {
      forgetModules()
      const next = await openProgram(profile)
      const same = JSON.stringify(next.generated.files) === JSON.stringify(current.generated.files)
      // What bundles now has its bundler until it is through.
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

function filesOf({ profile }: Plan, { metafile }: Bundle): string[] {
  const read = Object.keys(metafile.inputs)
    .flatMap((input) => (isGenerated(input) ? [] : (fileOfInput(inputPath(input)) ?? [])))
    .filter((file) => packagesAt(file) < 0)
  return [...new Set([...profile.files, ...read])]
}
