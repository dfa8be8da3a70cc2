/**
 * Positive controls: for an absent feature, the bytes that it has in a profile of ours. They follow from the sources of this
 * project alone, so they are cached under the hash of those sources and not computed again for each profile of a user.
 */
import { join } from 'node:path'
import { cacheDir, isCi, readJson, writeJson } from '../../cache/cache-files.ts'
import { inputsKey } from '../../cache/inputs-key.ts'
import type { PlannedFeature } from '../../plan/plan-feature.ts'
import { attribute } from '../attribute.ts'
import { type Owner, ownerOf } from './owners.ts'

/** A positive control. */
export interface Positive {
  readonly profile: string
  /** Bytes of the bundle of that profile that are the feature's. */
  readonly bytes: number
}

/** A feature, or one of its variants. */
type Named = Pick<PlannedFeature, 'id' | 'variant'>

interface Cached {
  readonly key: string
  readonly positives: Readonly<Record<string, Positive>>
}

/** Positive controls, and their cache. */
export interface Positives {
  /** The positive control of a feature; undefined if no profile of ours has the feature. */
  positiveOf(feature: Named): Promise<Positive | undefined>
  /** Caches the positive controls for the next build. To be called when a proof holds. */
  keep(): Promise<void>
}

/** What the positive controls need. */
export interface PositivesOptions {
  readonly file: string
  /** The hash of everything that the controls follow from. */
  readonly keyOf: () => Promise<string>
  readonly ownerOf: (feature: Named) => Promise<Pick<Owner, 'profile' | 'plan' | 'metafile'> | undefined>
}

/** Creates the positive controls of this process. In CI nothing is read from the file, and nothing is written to it. */
export function createPositives({ file, keyOf, ownerOf }: PositivesOptions): Positives {
  /** The key of the sources as they were before any of them was bundled. */
  let key: Promise<string> | undefined
  let known: Promise<Map<string, Positive>> | undefined
  let hasNew = false
  const read = async (): Promise<Map<string, Positive>> => {
    if (isCi()) return new Map()
    key = keyOf()
    const cached = readJson<Cached>(file)
    return new Map(cached !== undefined && cached.key === (await key) ? Object.entries(cached.positives) : [])
  }
  return {
    async positiveOf(feature) {
      known ??= read()
      const positives = await known
      const name = nameOf(feature)
      const cached = positives.get(name)
      if (cached !== undefined) return cached
      const owner = await ownerOf(feature)
      if (owner === undefined) return undefined
      const positive = { profile: owner.profile, bytes: bytesIn(owner, feature) }
      positives.set(name, positive)
      hasNew = true
      return positive
    },
    async keep() {
      if (!hasNew || known === undefined || key === undefined || isCi()) return
      hasNew = false
      // Sources that were edited meanwhile belong to another key.
      if ((await keyOf()) !== (await key)) return
      writeJson(file, { key: await key, positives: Object.fromEntries(await known) } satisfies Cached)
    },
  }
}

/** The positive controls of all builds of this process. */
export const positives: Positives = createPositives({
  file: join(cacheDir, 'positives.json'),
  keyOf: inputsKey,
  ownerOf,
})

/** The bytes of a feature in the bundle of a profile that has it. */
export function bytesIn({ plan, metafile }: Pick<Owner, 'plan' | 'metafile'>, feature: Named): number {
  return attribute(plan, metafile)
    .filter(({ owner }) => isOf(feature, owner))
    .reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Whether an owner of bytes is a feature. A feature without variants owns all of its files; a variant only its own. */
export function isOf({ id, variant }: Named, owner: string): boolean {
  return variant === undefined ? owner === `feature:${id}` : owner === `variant:${id}=${variant}`
}

/** The name of a feature in a proof, such as `auth.jwks` or `auth.guard=web`. */
export function nameOf({ id, variant }: Named): string {
  return variant === undefined ? id : `${id}=${variant}`
}
