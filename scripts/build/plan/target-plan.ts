/** The types of a plan: the bundles of a profile, and the contents of each. */

import { resolve } from 'node:path'
import type { Manifest } from '../../../core/declare/manifest.ts'
import type { Platform } from '../../../core/declare/matrix.ts'
import { root } from '../paths.ts'
import type { AbsentTables } from './absence-hints.ts'
import type { LoadedProfile } from './load-profile.ts'
import type { LocatedFeature } from './locate-feature.ts'
import type { PlannedFeature } from './plan-feature.ts'

/** The value of a define: whether the feature is present, or the name of its variant. */
export type DefineValue = boolean | string

/** The form of a target: a library, a library in one file, or a program. */
export type Form = 'library' | 'single' | 'main'

/** One bundle to build. */
export interface TargetPlan {
  readonly form: Form
  readonly platform: Platform
  readonly features: readonly PlannedFeature[]
  /** Every define of the matrix, with its value in this bundle. */
  readonly defines: Readonly<Record<string, DefineValue>>
  readonly manifest: Manifest
  readonly absent: AbsentTables
  /** Routes that the target lacks, with the profiles that have them. */
  readonly absentRoutes: Readonly<Record<string, readonly string[]>>
  /** The open paths of every feature that exists. */
  readonly open: readonly string[]
  /**
   * The packages that any existing feature keeps outside its bundle. The proof checks which of them this bundle may
   * load.
   */
  readonly externals: readonly string[]
  /** Text of the OpenAPI document that the target serves. Undefined if it equals the checked-in openapi.json. */
  readonly openapi: string | undefined
  readonly gzipBytes: number | undefined
  readonly gzipLimit: number | undefined
  /** Expected size of all files of the bundle after gzip, in bytes. */
  readonly gzipTotal: number | undefined
  readonly gzipTotalLimit: number | undefined
}

/** The input of a profile's build. */
export interface Plan {
  readonly profile: LoadedProfile
  /** All features that exist for this profile: the matrix and the features that the profile declares. */
  readonly knownFeatures: Readonly<Record<string, LocatedFeature>>
  readonly targets: readonly TargetPlan[]
  /** Warnings for the user, such as deprecated features. */
  readonly warnings: readonly string[]
}

/** The path of the source of each asset, by its name beside the bundle. */
export function assetFiles({ features }: Pick<TargetPlan, 'features'>): Record<string, string> {
  const all = features.flatMap(({ feature }) => Object.entries(feature.assets ?? {}))
  return Object.fromEntries(all.map(([name, source]) => [name, resolve(root, source)]))
}
