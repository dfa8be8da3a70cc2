/** Bundles and proves one set of features, like a profile with these features. Nothing is delivered. */
import { rmSync } from 'node:fs'
import { isSvcError } from '../../../core/declare/errors.ts'
import { bundle } from '../../build/bundle/bundle.ts'
import { generate } from '../../build/generate/generate.ts'
import { buildDir } from '../../build/paths.ts'
import type { LoadedProfile } from '../../build/plan/load-profile.ts'
import { planLoaded } from '../../build/plan/plan.ts'
import { bundleControls, nameOf } from '../../build/prove/controls.ts'
import { prove } from '../../build/prove/prove.ts'
import type { Combination } from './matrix-space.ts'

/** The result of a set. */
export interface ProvenCombination {
  readonly bytes: number
  /** The absent features and variants whose controls ran on this set. */
  readonly controlled: readonly string[]
  /** The problems of the set, each in one or more lines; empty if it is proven. */
  readonly problems: readonly string[]
}

/** The members of a profile that all sets share. */
export type Ground = Pick<LoadedProfile, 'base' | 'ownFeatures' | 'homes' | 'builtins'>

/**
 * Bundles and proves a set. `number` identifies the set; `controlled` are the absent features whose controls run on it,
 * as `id` or `id=variant`. `checked` skips the check of defines, because the same sources passed it before.
 */
export async function proveCombination(
  { form, platform, features }: Combination,
  ground: Ground,
  number: number,
  { controlled, checked }: { readonly controlled: ReadonlySet<string>; readonly checked: boolean },
): Promise<ProvenCombination> {
  const empty = { platform, features: {} }
  const profile: LoadedProfile = {
    ...ground,
    name: `combos-${number}`,
    summary: 'A set of features',
    files: [],
    path: `combos-${number}`,
    library: form === 'library' ? { platform, features } : empty,
    main: form === 'main' ? { platform, features } : undefined,
    licenses: undefined,
    minStability: undefined,
    startSettings: {},
  }
  try {
    const all = await planLoaded(profile, checked)
    const plan = { ...all, targets: all.targets.filter((target) => target.form === form) }
    const bundles = await Promise.all(generate(plan).map((generated) => bundle(generated)))
    const controls = bundleControls(plan, (feature) => controlled.has(nameOf(feature)))
    const [proof] = await prove(plan, bundles, controls)
    return { bytes: bundles[0]!.bytes, controlled: Object.keys(proof!.out), problems: [] }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { bytes: 0, controlled: [], problems: [error.message] }
  } finally {
    rmSync(buildDir(profile.name), { recursive: true, force: true })
  }
}
