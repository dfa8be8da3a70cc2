/** Builds profiles, shows the progress, and prints the results. */
import { type Built, buildProfile, type Stage, stages } from '../build/build.ts'
import { shown, workDir } from '../build/paths.ts'
import { createProgress, type ProgressStream } from '../progress.ts'
import type { ToolIo } from './tool.ts'

/** Like {@link buildProfile}, with the progress of its stages on stderr. */
export async function buildShown(profile: string, stage: Stage = 'pack'): Promise<Built> {
  const progress = createProgress(profile)
  return buildProfile(profile, stage, progress.step).finally(progress.end)
}

/**
 * Builds profiles like {@link buildShown}, and returns the builds in order. While one profile is proven, the next one
 * is planned and bundled, so that no CPU core is idle. A profile is delivered and shown only after the previous ones;
 * after a failure, none is delivered.
 */
export function buildAllShown(profiles: readonly string[], stage: Stage): readonly Promise<Built>[] {
  let before: Promise<unknown> = Promise.resolve()
  let begin = before
  return profiles.map((profile) => {
    const { build, next } = inTurn(profile, stage, before, begin)
    before = build
    begin = next
    // Errors are ignored here, because the caller awaits the builds in order and gets the first error.
    for (const one of [build, next]) one.catch(() => undefined)
    return build
  })
}

/**
 * Starts one of several builds. `next` resolves when the following build may start: when this one only needs its proof,
 * or is done.
 */
function inTurn(
  profile: string,
  stage: Stage,
  before: Promise<unknown>,
  begin: Promise<unknown>,
): { build: Promise<Built>; next: Promise<unknown> } {
  let proving = (): void => undefined
  const proves = new Promise<void>((resolve) => {
    proving = resolve
  })
  const run = async (): Promise<Built> => {
    await begin
    const progress = createProgress(profile, { stream: bufferedUntil(before) })
    const build = buildProfile(profile, stage, async (name, work) => {
      if (stages.indexOf(name) >= stages.indexOf('prove')) proving()
      if (name === 'pack') await before
      return progress.step(name, work)
    })
    return build.finally(progress.end)
  }
  const build = run().then(async (built) => {
    await before
    return built
  })
  return { build, next: Promise.race([proves, build]) }
}

/** A stream to stderr that buffers its text until `turn` resolves. */
function bufferedUntil(turn: Promise<unknown>): ProgressStream {
  const { stderr } = process
  let buffered: string | undefined = ''
  turn.then(
    () => {
      stderr.write(buffered ?? '')
      buffered = undefined
    },
    () => undefined,
  )
  return {
    isTTY: stderr.isTTY,
    columns: stderr.columns,
    write: (text) => {
      if (buffered === undefined) stderr.write(text)
      else buffered += text
    },
  }
}

/** Prints the features and sizes of a build, and the results of its proof. */
export function describe({ plan, bundles, proofs, reused, folder }: Built, io: ToolIo): void {
  if (reused)
    io.out(`${plan.profile.name}: reused; an earlier build made and proved this of the same sources and packages`)
  for (const warning of plan.warnings) io.note(`warning: ${warning}`)
  for (const { form, platform, features } of plan.targets) {
    const names = features.map(({ id, variant }) => (variant ? `${id}=${variant}` : id))
    io.out(`${plan.profile.name} ${form} (${platform}): ${names.join(', ')}`)
  }
  for (const { target, bytes, gzipBytes, gzipTotal, parts } of bundles) {
    const all = parts.length === 0 ? '' : `, ${kib(gzipTotal)} with what is loaded later`
    io.out(`  ${target.form.padEnd(8)} ${kib(bytes)} minified, ${kib(gzipBytes)} gzip${all}`)
  }
  for (const { file, out, builtins } of proofs) {
    const absent = `${Object.keys(out).length} proven absent (each with a mutation control)`
    const used = builtins.used.length === 1 ? '1 built-in' : `${builtins.used.length} built-ins`
    io.out(`  ${file}: ${absent}, ${used}`)
  }
  if (folder !== undefined) io.out(`→ ${shown(folder, workDir)}/`)
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
