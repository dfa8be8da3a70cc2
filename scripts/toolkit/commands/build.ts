/** `svc-build build`: builds and proves profiles. */
import { type Stage, stages } from '../../build/stages.ts'
import { deliver, tell } from '../deliver.ts'
import { toolFail } from '../errors.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: `<profile>… [${stages.join(' | ')}]`,
  about: `Builds each profile and proves what is in it and what is not. Nothing is delivered unless the proof holds, and
everything that was built has started once in an empty environment.
If nothing has changed since the last build, it says so and prints the results of that build.
A stage as the last word stops there: ${stages.join(', ')}.`,
  example: `svc-build build minimal          # dist/minimal/: index.mjs, svc.mjs, manifest.json, proof.json, account.json
svc-build build edge.ts --json   # a profile of your own`,
  options: {
    rebuild: { type: 'boolean', summary: 'build and prove also what has not changed' },
    'no-start': { type: 'boolean', summary: 'deliver without starting what was built once; proof.json says so' },
  },
  words: [1, 64],
  run: async ({ words, flag, io }) => {
    const stage = words.find(isStage) ?? 'pack'
    const profiles = words.filter((word) => !isStage(word))
    if (profiles.length === 0) {
      throw toolFail('ERR_TOOL_USAGE', { message: 'No profile was named.', hint: 'svc-build build minimal' })
    }
    const results = []
    for (const profile of profiles) {
      if (stage === 'pack') {
        results.push((await deliver(profile, io, { rebuild: flag('rebuild'), start: !flag('no-start') })).json)
        continue
      }
      const { buildShown, toldOf } = await import('../build-shown.ts')
      const told = toldOf(await buildShown(profile, stage))
      tell(told, io)
      results.push(told.json)
    }
    return { json: results }
  },
}

function isStage(word: string): word is Stage {
  return (stages as readonly string[]).includes(word)
}
