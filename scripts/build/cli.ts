/** `make build PROFILE=p [STAGE=s]`. */
import { isSvcError } from '../../core/errors.ts'
import { type Built, buildProfiles, type Stage, stages } from './build.ts'
import { shown } from './paths.ts'

const words = process.argv.slice(2)
const isStage = (word: string): word is Stage => (stages as readonly string[]).includes(word)
const stage = words.find(isStage) ?? 'pack'
const profiles = words.filter((word) => !isStage(word))

if (profiles.length === 0) {
  console.error(`usage: build <profile | path/to/profile.ts>… [${stages.join(' | ')}]`)
  process.exit(64)
}
for (const result of await buildProfiles(profiles, stage)) {
  if (result.status === 'fulfilled') {
    report(result.value)
    continue
  }
  const { reason } = result as { readonly reason: unknown }
  if (!isSvcError(reason)) throw reason
  console.error(reason.message)
  if (reason.hint !== undefined) console.error(`  → ${reason.hint}`)
  process.exitCode = 1
}

function report({ plan, bundles, proofs, folder }: Built): void {
  for (const { form, platform, features } of plan.targets) {
    console.log(
      `${plan.profile.name} ${form} (${platform}): ${features.map(({ id, variant }) => (variant ? `${id}=${variant}` : id)).join(', ')}`,
    )
  }
  for (const { target, bytes, gzipBytes } of bundles) {
    console.log(`  ${target.form.padEnd(8)} ${kib(bytes)} minified, ${kib(gzipBytes)} gzip`)
  }
  for (const { file, out, builtins } of proofs) {
    const absent = Object.keys(out)
    console.log(
      `  ${file}: ${absent.length} proven absent (each with a mutation control), ${builtins.used.length} built-ins`,
    )
  }
  if (folder !== undefined) console.log(`→ ${shown(folder)}/`)
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
