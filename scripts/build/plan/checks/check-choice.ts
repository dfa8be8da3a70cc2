/**
 * The verdict on which features a profile chooses. It reads no file, so that the toolkit can ask for it at every change
 * of a choice; the plan of a build asks here too, so both give the same answer.
 */
import type { TargetSpec } from '../../../../core/declare/matrix.ts'
import type { Problem } from '../../errors.ts'
import { type Lifecycle, lifecycleOf } from '../../policy/lifecycle.ts'
import { version } from '../../version.ts'
import type { AbsentIndex } from '../absence-hints.ts'
import type { LoadedProfile } from '../load-profile.ts'
import type { LocatedFeature } from '../locate-feature.ts'
import type { PlannedFeature } from '../plan-feature.ts'
import type { Form } from '../target-plan.ts'
import { checkCapabilities, checkReserved, checkRoutes } from './check-composition.ts'
import { checkFeatures, checkMain, chosen } from './check-features.ts'

type Features = Readonly<Record<string, LocatedFeature>>

/** One bundle of a profile, with its whole set of features. */
export interface FormSpec {
  readonly form: Form
  readonly spec: TargetSpec
  /** Suffix of messages, if a profile has several bundles. */
  readonly where: string
}

/** The bundles of a profile: the library, the library in one file, the program. */
export function formsOf({ library: whole, main }: Pick<LoadedProfile, 'library' | 'main'>): FormSpec[] {
  const { single, ...library } = whole
  const { platform, features } = library
  const specs: { form: Form; spec: TargetSpec }[] = [
    { form: 'library', spec: library },
    ...(single === undefined ? [] : [{ form: 'single' as const, spec: { ...single, platform, features } }]),
    ...(main === undefined
      ? []
      : [{ form: 'main' as const, spec: { ...main, features: { ...features, ...main.features } } }]),
  ]
  return specs.map((one) => ({ ...one, where: specs.length > 1 ? ` (${one.form})` : '' }))
}

/** The chosen features in the order of the matrix, as in the registry, and not in the order of the profile. */
export function idsOf({ spec }: FormSpec, knownFeatures: Features): string[] {
  const has = new Set(chosen(spec.features))
  return Object.keys(knownFeatures).filter((id) => has.has(id))
}

/** Problems of the choices themselves: unknown features, what is required and excluded, platforms, variants. */
export function checkForms(forms: readonly FormSpec[], knownFeatures: Features): Problem[] {
  return forms.flatMap(({ form, spec, where }) => [
    ...checkFeatures(spec.features, spec.platform, knownFeatures, where),
    ...(form === 'main' ? checkMain(spec.features, knownFeatures) : []),
  ])
}

/** The features of one bundle. */
export interface PlannedForm extends FormSpec {
  readonly features: readonly PlannedFeature[]
}

/**
 * Problems of the chosen plugins: capabilities, routes, names and lifecycle. Only for forms without a problem of {@link
 * checkForms}.
 */
export function checkPlanned(
  planned: readonly PlannedForm[],
  profile: Pick<LoadedProfile, 'minStability' | 'ownFeatures'>,
  index: readonly AbsentIndex[],
): Lifecycle {
  const all = new Map(planned.flatMap(({ features }) => features.map((one) => [one.id, one] as const)))
  const { problems, warnings } = lifecycleOf([...all.values()], profile, version)
  return {
    problems: [
      ...problems,
      ...checkReserved(planned, index, profile.ownFeatures),
      ...checkCapabilities(planned, index),
      ...checkRoutes(planned),
    ],
    warnings,
  }
}
