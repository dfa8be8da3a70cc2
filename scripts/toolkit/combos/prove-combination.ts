/** Bundles and proves one set of features, as if a profile had chosen it. Nothing is delivered. */
import { rmSync } from 'node:fs'
import { isSvcError } from '../../../core/errors.ts'
import { bundle } from '../../build/bundle/bundle.ts'
import { generate } from '../../build/generate/generate.ts'
import { buildDir } from '../../build/paths.ts'
import type { LoadedProfile } from '../../build/plan/load-profile.ts'
import { planLoaded } from '../../build/plan/plan.ts'
import { prove } from '../../build/prove/prove.ts'
import type { Combination } from './matrix-space.ts'

/** How a set came out. */
export interface ProvenCombination {
  readonly bytes: number
  /** The absent features and variants whose controls ran on it. */
  readonly controlled: readonly string[]
  /** What is wrong with it, each in a line or several; nothing where it is proven. */
  readonly problems: readonly string[]
}

/** What sets have in common. */
export type Ground = Pick<LoadedProfile, 'base' | 'own' | 'homes' | 'builtins'>

/**
 * Bundles and proves a set. `number` names it among others; `controlled` are the absent features whose controls run on it, by
 * `id` or `id=variant`. `checked`: the sources have been found to use defines as they should.
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
  }
  try {
    const all = await planLoaded(profile, checked)
    const plan = { ...all, targets: all.targets.filter((target) => target.form === form) }
    const made = await Promise.all(generate(plan).map((generated) => bundle(generated)))
    const [proof] = await prove(plan, made, {
      isControlled: ({ id, variant }) => controlled.has(variant === undefined ? id : `${id}=${variant}`),
      // Every set that has a feature shows bytes of it.
      ownerOf: async () => undefined,
    })
    return { bytes: made[0]!.bytes, controlled: Object.keys(proof!.out), problems: [] }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { bytes: 0, controlled: [], problems: [error.message] }
  } finally {
    rmSync(buildDir(profile.name), { recursive: true, force: true })
  }
}
