/** The text of an OpenAPI document, for the whole matrix or for the features of one target. */
import { matrixFeatures } from '../build/plan/locate-feature.ts'
import { operationsOf, type PlannedFeature, planFeature } from '../build/plan/plan-feature.ts'
import { version } from '../build/version.ts'
import { type DocumentPart, openApiDocument } from './document.ts'

/** The document of the matrix, which is checked in. */
export async function openApiText(): Promise<string> {
  const features = Object.entries(matrixFeatures).map(([id, feature]) => {
    const { plugin } = feature
    return planFeature(id, typeof plugin === 'object' ? Object.keys(plugin)[0]! : true, feature)
  })
  return openApiTextOf(await Promise.all(features))
}

/**
 * The document of a list of features.
 * @throws SvcError `ERR_PROFILE_INVALID`
 */
export async function openApiTextOf(features: readonly PlannedFeature[]): Promise<string> {
  const parts = await Promise.all(features.map((planned) => partOf(planned)))
  return `${JSON.stringify(openApiDocument(parts, version), null, 2)}\n`
}

async function partOf({ id, feature, plugin }: PlannedFeature): Promise<DocumentPart> {
  return { id, routes: plugin?.routes ?? [], operations: operationsOf(feature) }
}
