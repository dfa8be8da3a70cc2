/** The planner's verdict on a choice. */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { TargetSpec } from '../../../../core/declare/matrix.ts'
import type { Problem } from '../../../build/errors.ts'
import { checkForms, checkPlanned, formsOf, idsOf } from '../../../build/plan/checks/check-choice.ts'
import { requireOrder } from '../../../build/plan/checks/check-composition.ts'
import { dedupe } from '../../../build/plan/checks/check-features.ts'
import type { LoadedProfile } from '../../../build/plan/load-profile.ts'
import type { Catalogue, Choice } from './catalogue.ts'

/** One conflict; `code` is an error code of a build. */
export interface Conflict extends Omit<Problem, 'code'> {
  readonly code: string
}

/** The verdict: why a build would refuse the choice, and what it would warn of. */
export interface Verdict {
  readonly conflicts: readonly Conflict[]
  readonly warnings: readonly string[]
}

/** The profile as it would be with the choice. */
export function profileWith({ profile }: Catalogue, { library, main }: Choice): LoadedProfile {
  const off = Object.fromEntries(Object.keys(library).map((id) => [id, false]))
  const withSet = (spec: TargetSpec, features: TargetSpec['features']): TargetSpec => ({ ...spec, features })
  return {
    ...profile,
    library: withSet(profile.library, library),
    main: profile.main === undefined ? undefined : withSet(profile.main, { ...off, ...main }),
  }
}

/** What a plan of the choice would say. */
export function verdictOf(catalogue: Catalogue, choice: Choice): Verdict {
  const { knownFeatures, planned, index } = catalogue
  const profile = profileWith(catalogue, choice)
  const forms = formsOf(profile)
  const wrong = dedupe(checkForms(forms, knownFeatures))
  if (wrong.length > 0) return { conflicts: wrong, warnings: [] }
  const targets = forms.map((form) => {
    const features = idsOf(form, knownFeatures).map((id) => {
      const choice = form.spec.features[id]
      return planned[id]!.find(({ variant }) => variant === (typeof choice === 'string' ? choice : undefined))!
    })
    return { ...form, features }
  })
  const { problems, warnings } = checkPlanned(targets, profile, index)
  const composed = dedupe(problems)
  if (composed.length > 0) return { conflicts: composed, warnings }
  try {
    for (const target of targets) requireOrder(target)
  } catch (error) {
    if (!isSvcError(error)) throw error
    const { code, message, hint } = error
    return { conflicts: [{ code, message, ...(hint !== undefined && { hint }) }], warnings }
  }
  return { conflicts: [], warnings }
}
