/** `svc-build build`: builds and proves profiles. */
import { type Built, type Stage, stages } from '../../build/build.ts'
import { buildAllShown, describe } from '../build-shown.ts'
import { toolFail } from '../errors.ts'
import type { Tool } from '../tool.ts'

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
    for (const build of buildAllShown(profiles, stage)) {
      const built = await build
      describe(built, io)
      results.push(toResult(built))
    }
    return { json: results }
  },
}

function isStage(word: string): word is Stage {
  return (stages as readonly string[]).includes(word)
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
