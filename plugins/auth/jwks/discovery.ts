import { isObject } from '../../../core/kernel/values.ts'
import { ownMember } from '../token/json-object.ts'
import { type FetchOptions, fetchDocument, unavailable } from './fetch-document.ts'
import { discoveryUrl, urlProblem } from './url.ts'

/** Dependencies and limits of discovery. */
export interface DiscoveryOptions extends FetchOptions {
  /** The issuer, as the setting has it. */
  readonly issuer: string
  /** How long the last `jwks_uri` counts while the document cannot be read, in milliseconds. */
  readonly maxAgeMs: number
  readonly monotonic: () => number
  /** Called for each failure that the last `jwks_uri` makes up for. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Creates the function that reads the `jwks_uri` of an issuer. If the document cannot be read, or is that of another
 * issuer, the last `jwks_uri` is returned. @throws SvcError `jwks_unavailable` without one, or if it is too old
 */
export function createDiscovery(options: DiscoveryOptions): () => Promise<string> {
  const url = discoveryUrl(options.issuer)
  let last: { readonly uri: string; readonly readAtMs: number } | undefined
  return async () => {
    try {
      const uri = readJwksUri(await fetchDocument(url, options), options.issuer)
      last = { uri, readAtMs: options.monotonic() }
      return uri
    } catch (error) {
      if (last === undefined || options.monotonic() >= last.readAtMs + options.maxAgeMs) throw error
      options.onFailure(error)
      return last.uri
    }
  }
}

/** @throws SvcError `jwks_unavailable`, whose cause quotes nothing of the document */
function readJwksUri(document: string, issuer: string): string {
  let metadata: unknown
  try {
    metadata = JSON.parse(document)
  } catch {
    throw unavailable('not_discovered', 'the document is not JSON')
  }
  if (!isObject(metadata)) throw unavailable('not_discovered', 'the document is no JSON object')
  // A document of another issuer would let the keys of that issuer sign for this one (section 4.3).
  if (ownMember(metadata, 'issuer') !== issuer)
    throw unavailable('not_discovered', 'the issuer in the document is not the configured one')
  const uri = ownMember(metadata, 'jwks_uri')
  const problem = typeof uri === 'string' ? urlProblem(uri) : 'missing'
  if (typeof uri !== 'string' || problem !== undefined)
    throw unavailable('not_discovered', `the jwks_uri is ${problem}`)
  return uri
}
