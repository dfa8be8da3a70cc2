/** Builds a profile, shows what takes so long, and tells what came of it. */
import { type Built, buildProfile, type Stage, stages } from '../build/build.ts'
import { shown, workDir } from '../build/paths.ts'
import { createProgress, type ProgressStream } from '../progress.ts'
import type { ToolIo } from './tool.ts'

/** As {@link buildProfile}, with its stages on stderr. */
export async function buildShown(profile: string, stage: Stage = 'pack'): Promise<Built> {
  const progress = createProgress(profile)
  return buildProfile(profile, stage, progress.step).finally(progress.end)
}

/**
 * Builds profiles, each as {@link buildShown} does, and gives them in their order. While one is proved the next is planned
 * and bundled, so that no processor waits. It is delivered and shown when those before it are: behind one that fails none is.
 */
export function buildAllShown(profiles: readonly string[], stage: Stage): readonly Promise<Built>[] {
  let before: Promise<unknown> = Promise.resolve()
  let begin = before
  return profiles.map((profile) => {
    const { build, next } = inTurn(profile, stage, before, begin)
    before = build
    begin = next
    // Whoever waits for those before it hears of the first that fails.
    for (const one of [build, next]) one.catch(() => undefined)
    return build
  })
}

/** One of several builds, and what ends when the next may begin: once it needs no more than its proof, or is done. */
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
    const progress = createProgress(profile, { stream: heldUntil(before) })
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

/** Stderr, for one who says nothing before the turn is his. */
function heldUntil(turn: Promise<unknown>): ProgressStream {
  const { stderr } = process
  let held: string | undefined = ''
  turn.then(
    () => {
      stderr.write(held ?? '')
      held = undefined
    },
    () => undefined,
  )
  return {
    isTTY: stderr.isTTY,
    columns: stderr.columns,
    write: (text) => {
      if (held === undefined) stderr.write(text)
      else held += text
    },
  }
}

/** Tells what was built, how large it is, and what the proof found. */
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
