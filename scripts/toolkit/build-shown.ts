/** Builds profiles, shows the progress, and describes the results. */
import { type BuildOptions, type Built, buildProfile } from '../build/build.ts'
import { shown, workDir } from '../build/paths.ts'
import type { Told } from '../build/record/record.ts'
import type { Stage } from '../build/stages.ts'
import { createProgress } from '../progress.ts'

/** Like {@link buildProfile}, with the progress of its stages on stderr. */
export async function buildShown(profile: string, stage: Stage = 'pack', options: BuildOptions = {}): Promise<Built> {
  const progress = createProgress(profile)
  return buildProfile(profile, stage, progress.step, options).finally(progress.end)
}

/** The output of a build: the features and sizes of its bundles, and the results of its proof. */
export function toldOf({ plan, bundles, proofs, folder = '' }: Built): Told {
  const out: string[] = []
  const warnings = [...new Set([...plan.warnings, ...bundles.flatMap((one) => one.warnings)])]
  for (const { form, platform, features } of plan.targets) {
    const names = features.map(({ id, variant }) => (variant ? `${id}=${variant}` : id))
    out.push(`${plan.profile.name} ${form} (${platform}): ${names.join(', ')}`)
  }
  for (const { target, bytes, gzipBytes, gzipTotal, parts } of bundles) {
    const all = parts.length === 0 ? '' : `, ${kib(gzipTotal)} with what is loaded later`
    out.push(`  ${target.form.padEnd(8)} ${kib(bytes)} minified, ${kib(gzipBytes)} gzip${all}`)
  }
  for (const { file, out: absences, builtins } of proofs) {
    const absent = `${Object.keys(absences).length} proven absent (each with a mutation control)`
    const used = builtins.used.length === 1 ? '1 built-in' : `${builtins.used.length} built-ins`
    out.push(`  ${file}: ${absent}, ${used}`)
  }
  if (folder !== '') out.push(`→ ${shown(folder, workDir)}/`)
  return {
    folder,
    out,
    notes: warnings.map((warning) => `warning: ${warning}`),
    json: {
      profile: plan.profile.name,
      folder: folder === '' ? null : folder,
      warnings,
      bundles: bundles.map(({ target, bytes, gzipBytes, gzipTotal, sha256, parts }, index) => ({
        form: target.form,
        platform: target.platform,
        features: target.features.map(({ id, variant }) => (variant ? `${id}=${variant}` : id)),
        bytes,
        gzipBytes,
        gzipTotal,
        sha256,
        parts: parts.map(({ name }) => name),
        absent: Object.keys(proofs[index]?.out ?? {}),
      })),
    },
  }
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
