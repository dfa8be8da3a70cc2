/** Builds a profile, shows what takes so long, and tells what came of it. */
import { type Built, buildProfile, type Stage } from '../build/build.ts'
import { shown, workDir } from '../build/paths.ts'
import { createProgress } from '../progress.ts'
import type { ToolIo } from './tool.ts'

/** As {@link buildProfile}, with its stages on stderr. */
export async function buildShown(profile: string, stage: Stage = 'pack'): Promise<Built> {
  const progress = createProgress(profile)
  return buildProfile(profile, stage, progress.step).finally(progress.end)
}

/** Tells what was built, how large it is, and what the proof found. */
export function describe({ plan, bundles, proofs, folder }: Built, io: ToolIo): void {
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
