/** What a plan says: the bundles of a profile, and what is in each. */
import type { Platform } from '../../../core/feature.ts'
import type { Manifest } from '../../../core/manifest.ts'
import type { AbsentTables } from './absent.ts'
import type { LoadedProfile } from './load-profile.ts'
import type { LocatedFeature } from './locate-feature.ts'
import type { PlannedFeature } from './plan-feature.ts'

/** What a define holds: whether the feature is there, or the name of its variant. */
export type DefineValue = boolean | string

/** What a target is: a library, the same as one file, or a program. */
export type Form = 'library' | 'single' | 'main'

/** One bundle to make. */
export interface TargetPlan {
  readonly form: Form
  readonly platform: Platform
  readonly features: readonly PlannedFeature[]
  /** Every define of the matrix, with its value here. */
  readonly defines: Readonly<Record<string, DefineValue>>
  readonly manifest: Manifest
  readonly absent: AbsentTables
  /** The routes that it lacks, with the profiles that have them. */
  readonly absentRoutes: Readonly<Record<string, readonly string[]>>
  /** The open paths of every feature that exists. */
  readonly open: readonly string[]
  /** The packages that any feature there is keeps outside of its bundle: whether this one may ask for them is for the proof to say. */
  readonly externals: readonly string[]
  /** Text of its OpenAPI document, where it serves one that is not the checked-in openapi.json. */
  readonly openapi: string | undefined
  readonly gzipBytes: number | undefined
  readonly gzipLimit: number | undefined
  /** Of all its files. */
  readonly gzipTotal: number | undefined
  readonly gzipTotalLimit: number | undefined
}

/** All that a build of a profile needs to know. */
export interface Plan {
  readonly profile: LoadedProfile
  /** All features that exist for this profile: those of the matrix and its own. */
  readonly known: Readonly<Record<string, LocatedFeature>>
  readonly targets: readonly TargetPlan[]
  /** What whoever builds it should know: features that go. */
  readonly warnings: readonly string[]
}
