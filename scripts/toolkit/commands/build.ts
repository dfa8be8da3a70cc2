/** `svc-build build`: builds and proves profiles. */
import { type Built, type Stage, stages } from '../../build/build.ts'
import { shown, workDir } from '../../build/paths.ts'
import { buildShown } from '../build-shown.ts'
import { toolFail } from '../errors.ts'
import type { Tool, ToolIo } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: `<profile>… [${stages.join(' | ')}]`,
  about: `Builds each profile and proves what is in it and what is not. Nothing is delivered unless the proof holds.
A stage as the last word stops there: ${stages.join(', ')}.`,
  example: `svc-build build minimal          # dist/minimal/: index.mjs, svc.mjs, manifest.json, proof.json, account.json
svc-build build edge.ts --json   # a profile of your own`,
  words: [1, 64],
  run: async ({ words, io }) => {
    const stage = words.find(isStage) ?? 'pack'
    const profiles = words.filter((word) => !isStage(word))
    if (profiles.length === 0) {
      throw toolFail('ERR_TOOL_USAGE', { message: 'No profile was named.', hint: 'svc-build build minimal' })
    }
    const results = []
    for (const profile of profiles) {
      const built = await buildShown(profile, stage)
      show(built, io)
      results.push(toResult(built))
    }
    return { json: results }
  },
}

function isStage(word: string): word is Stage {
  return (stages as readonly string[]).includes(word)
}

function show({ plan, bundles, proofs, folder }: Built, io: ToolIo): void {
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

function toResult({ plan, bundles, proofs, folder }: Built): unknown {
  return {
    profile: plan.profile.name,
    folder: folder ?? null,
    warnings: plan.warnings,
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
  }
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
