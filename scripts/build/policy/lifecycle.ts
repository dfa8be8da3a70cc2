/** Checks the stability of features, and when they are removed. */
import type { Stability } from '../../../core/declare/manifest.ts'
import type { Problem } from '../errors.ts'
import type { LoadedProfile } from '../plan/load-profile.ts'
import type { PlannedFeature } from '../plan/plan-feature.ts'
import { compareVersions, isVersion } from './compare-versions.ts'

/** Ranks from the least stable on. A deprecated feature was stable once and will be removed. */
const ranks: Readonly<Record<Stability, number>> = { experimental: 0, deprecated: 1, stable: 2 }

/** The errors and warnings of a build. */
export interface Lifecycle {
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/**
 * Checks the features of a profile. `version` is the version of the toolkit, which also applies to features without a
 * version.
 */
export function lifecycleOf(
  features: readonly PlannedFeature[],
  { minStability }: Pick<LoadedProfile, 'minStability'>,
  version: string,
): Lifecycle {
  const problems: Problem[] = []
  const warnings: string[] = []
  if (minStability !== undefined && !Object.hasOwn(ranks, minStability)) {
    const message = `\`minStability\` is ${JSON.stringify(minStability)}; there are ${Object.keys(ranks).join(', ')}.`
    problems.push({ code: 'ERR_PROFILE_INVALID', message })
  }
  for (const { id, feature, plugin } of features) {
    const { stability, deprecated, owner } = feature
    const now = plugin?.version ?? version
    const ask = owner === undefined ? '' : ` ${owner} answers for it.`
    if (minStability !== undefined && (ranks[stability] ?? -1) < ranks[minStability]) {
      const hint = `Take it out, or set \`minStability: '${stability}'\`.${ask}`
      problems.push({
        code: 'ERR_FEATURE_STABILITY',
        message: `${id} is ${stability}, and the profile takes what is at least ${minStability}.`,
        hint,
      })
    }
    if (deprecated === undefined) {
      if (stability !== 'deprecated') continue
      problems.push({
        code: 'ERR_FEATURE_MODULE',
        message: `${id} is deprecated and does not say since when, until when, and what to use instead.`,
        hint: "deprecated: { since: '1.2.0', remove: '2.0.0', use: '…' }",
      })
      continue
    }
    const { since, remove, use } = deprecated
    const wrong = [since, remove].find((one) => typeof one !== 'string' || !isVersion(one))
    if (wrong !== undefined || compareVersions(remove, since) <= 0 || typeof use !== 'string' || use === '') {
      problems.push({
        code: 'ERR_FEATURE_MODULE',
        message:
          `\`deprecated\` of ${id} does not name two versions, ` +
          'the first before the second, and what to use instead.',
      })
    } else if (compareVersions(now, remove) >= 0) {
      problems.push({
        code: 'ERR_FEATURE_REMOVED',
        message: `${id} is gone with ${remove}, and this is ${now}.`,
        hint: `Use ${use}.${ask}`,
      })
    } else if (compareVersions(now, since) >= 0) {
      warnings.push(`${id} is deprecated since ${since} and goes with ${remove}: use ${use}.${ask}`)
    }
  }
  return { problems, warnings }
}
