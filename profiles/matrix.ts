/** The feature matrix: a row for every feature of the project. */
import { type FeatureValue, type MatrixRow, rowOf } from '../core/declare/feature.ts'
import type { FeatureId } from '../core/declare/matrix.ts'
import * as features from './features.ts'

/** Features that were renamed, by their former id. */
export const renamed: Readonly<Record<string, FeatureId>> = { 'sync.boards': 'kbd.cli', 'sync.peers': 'peer.registry' }

/** The compiler checks here that the list has every feature, each under its own id. */
const values: { readonly [Id in FeatureId | keyof typeof features]: FeatureValue<Id, unknown> } = features

/**
 * The rows by the ids of the features, in the order of the ids, in which a module lists its exports. The order decides
 * which code is adjacent in a bundle, and so affects its gzip size.
 */
export const matrix: Readonly<Record<string, MatrixRow>> = Object.fromEntries(
  Object.entries(values).map(([id, value]) => [id, rowOf(value)]),
)
