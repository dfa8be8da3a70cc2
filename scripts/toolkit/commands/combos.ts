/** `svc-build combos`: bundles and proves combinations of features. */

import { workDir } from '../../build/paths.ts'
import { type LoadedProfile, loadProfile } from '../../build/plan/load-profile.ts'
import { matrixFeatures } from '../../build/plan/locate-feature.ts'
import { standardProfiles } from '../../build/plan/read-profile.ts'
import { controlsOf, type Named, nameOf } from '../combos/controls.ts'
import { coverOf } from '../combos/cover.ts'
import { combinationOf, spaceOf } from '../combos/matrix-space.ts'
import { type Ground, type ProvenCombination, proveCombination } from '../combos/prove-combination.ts'
import { EXIT, toolFail } from '../errors.ts'
import type { Tool, ToolIo } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '[profile]',
  about: `Bundles and proves sets of features, chosen so that every possible combination of three choices is in at least one
set: every feature with and without each other one, in each variant, on each platform, as far as their declarations
allow; with --pairwise, of two choices. A set with a main module is bundled as a program, any other as a library. The
mutation control of each feature runs on one set that lacks it. With a profile of your own its features are combined
with those of the matrix.`,
  example: `svc-build combos --pairwise
svc-build combos --shard 1/8 --json`,
  options: {
    pairwise: { type: 'boolean', summary: 'pairs in the place of triples: far fewer sets' },
    shard: { type: 'string', value: 'N/M', summary: 'the Nth of M parts of the sets only' },
  },
  words: [0, 1],
  run: async ({ words: [profile], flag, value, io }) => {
    const shard = shardOf(value('shard') ?? '1/1')
    const ground = await groundOf(profile)
    const knownFeatures = { ...matrixFeatures, ...ground.ownFeatures }
    const space = await spaceOf(knownFeatures)
    const strength = flag('pairwise') ? 2 : 3
    io.step(`choosing sets of ${space.factors.length} factors`)
    const { tuples, sets } = coverOf(space, strength)
    const combinations = sets.map((set) => combinationOf(space, set, knownFeatures))
    const controls = controlsOf(combinations, knownFeatures)
    const mine = combinations.flatMap((combination, at): Named[] =>
      at % shard.of === shard.part - 1 ? [{ number: at + 1, combination, controlled: controls[at]! }] : [],
    )
    const results = []
    for (const [at, one] of mine.entries()) {
      io.step(`set ${one.number} of ${sets.length}`)
      const proven = await proveCombination(one.combination, ground, one.number, {
        controlled: one.controlled,
        // The check of defines in the sources is the same for all sets.
        checked: at > 0,
      })
      show(one, proven, io)
      const { form, platform, features } = one.combination
      results.push({ set: one.number, form, platform, features: Object.entries(features).map(nameOf), ...proven })
    }
    const failed = results.filter(({ problems }) => problems.length > 0).length
    const part = shard.of === 1 ? '' : `, of which ${mine.length} here`
    const end = failed === 0 ? 'all proven' : `${failed} not proven`
    io.out(`${tuples} ${strength === 2 ? 'pairs' : 'triples'} in ${sets.length} sets${part}: ${end}`)
    return { json: { strength, tuples, sets: sets.length, results }, code: failed === 0 ? EXIT.done : EXIT.failed }
  },
}

function show({ number, combination, controlled }: Named, { bytes, problems }: ProvenCombination, io: ToolIo): void {
  const { form, platform, features } = combination
  const count = Object.keys(features).length
  const what = `${form} (${platform}), ${count} ${count === 1 ? 'feature' : 'features'}`
  if (problems.length === 0) {
    const controls = controlled.size === 0 ? '' : `, controls of ${[...controlled].join(', ')}`
    io.out(`set ${number}: ${what}, ${(bytes / 1024).toFixed(1)} KiB${controls}`)
    return
  }
  io.out(`set ${number}: ${what}, not proven: ${Object.entries(features).map(nameOf).join(', ')}`)
  for (const line of problems.flatMap((problem) => problem.split('\n'))) io.out(`  ${line}`)
}

/** The features and built-ins of the standard profiles, and those of a user's profile. */
async function groundOf(profile: string | undefined): Promise<Ground> {
  const names = [...standardProfiles(), ...(profile === undefined ? [] : [profile])]
  const loaded: LoadedProfile[] = await Promise.all(names.map((name) => loadProfile(name)))
  const { base, ownFeatures, homes } =
    profile === undefined ? { base: workDir, ownFeatures: {}, homes: {} } : loaded.at(-1)!
  return { base, ownFeatures, homes, builtins: [...new Set(loaded.flatMap(({ builtins }) => builtins))].sort() }
}

/** @throws SvcError `ERR_TOOL_USAGE` */
function shardOf(text: string): { part: number; of: number } {
  const [, part, of] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number)
  if (part === undefined || of === undefined || part > of) {
    throw toolFail('ERR_TOOL_USAGE', {
      message: `"${text}" is no part of the sets.`,
      hint: 'The second of eight is --shard 2/8.',
    })
  }
  return { part, of }
}
