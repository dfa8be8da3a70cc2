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

/** The controls that are known, and the key under which they are cached; undefined if they are not. */
interface Opened {
  readonly key: string | undefined
  readonly known: Map<string, Positive>
}

/** Positive controls, and their cache. */
export interface Positives {
  /** Takes the key of the sources, computed before a build read any of them. Only the first call counts. */
  open(key: Promise<string>): void
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

/** Creates the positive controls of a process. In CI they are neither read from the file nor written to it. */
export function createPositives({ file, keyOf, ownerOf }: PositivesOptions): Positives {
  let opened: Promise<Opened> | undefined
  let hasNew = false
  const open = async (keyed: Promise<string> | undefined): Promise<Opened> => {
    if (isCi()) return { key: undefined, known: new Map() }
    const key = await (keyed ?? keyOf())
    const cached = readJson<Cached>(file)
    return { key, known: new Map(cached?.key === key ? Object.entries(cached.positives) : []) }
  }
  const openOnce = (keyed?: Promise<string>): Promise<Opened> => {
    opened ??= open(keyed)
    return opened
  }
  return {
    open: (keyed) => void openOnce(keyed).catch(() => undefined),
    async positiveOf(feature) {
      const { known } = await openOnce()
      const name = nameOf(feature)
      const cached = known.get(name)
      if (cached !== undefined) return cached
      const owner = await ownerOf(feature)
      if (owner === undefined) return undefined
      const positive = { profile: owner.profile, bytes: bytesIn(owner, feature) }
      known.set(name, positive)
      hasNew = true
      return positive
    },
    async keep() {
      if (!hasNew || opened === undefined) return
      hasNew = false
      const { key, known } = await opened
      // If the sources were edited during the build, the controls belong to neither key.
      if (key === undefined || (await keyOf()) !== key) return
      writeJson(file, { key, positives: Object.fromEntries(known) } satisfies Cached)
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
