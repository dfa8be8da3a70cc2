/** `make build PROFILE=p [STAGE=s]`. */
import { isSvcError } from '../../core/errors.ts'
import { createProgress } from '../progress.ts'
import { type Built, buildProfile, type Stage, stages } from './build.ts'
import { shown } from './paths.ts'

const words = process.argv.slice(2)
const isStage = (word: string): word is Stage => (stages as readonly string[]).includes(word)
const stage = words.find(isStage) ?? 'pack'
const profiles = words.filter((word) => !isStage(word))

if (profiles.length === 0) {
  console.error(`usage: build <profile | path/to/profile.ts>… [${stages.join(' | ')}]`)
  process.exit(64)
}
try {
  for (const profile of profiles) {
    const progress = createProgress(profile)
    report(await buildProfile(profile, stage, progress.step).finally(progress.end))
  }
} catch (error) {
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}

function report({ plan, bundles, proofs, folder }: Built): void {
  for (const { form, platform, features } of plan.targets) {
    console.log(
      `${plan.profile.name} ${form} (${platform}): ${features.map(({ id, variant }) => (variant ? `${id}=${variant}` : id)).join(', ')}`,
    )
  }
  for (const { target, bytes, gzipBytes, gzipTotal, parts } of bundles) {
    const all = parts.length === 0 ? '' : `, ${kib(gzipTotal)} with what is loaded later`
    console.log(`  ${target.form.padEnd(8)} ${kib(bytes)} minified, ${kib(gzipBytes)} gzip${all}`)
  }
  for (const { file, out, builtins } of proofs) {
    const used = builtins.used.length === 1 ? '1 built-in' : `${builtins.used.length} built-ins`
    console.log(`  ${file}: ${Object.keys(out).length} proven absent (each with a mutation control), ${used}`)
  }
  if (folder !== undefined) console.log(`→ ${shown(folder)}/`)
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
