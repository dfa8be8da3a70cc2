import { httpFail } from '../../core/catalogue.ts'
import { parseJson } from '../../core/http/body/json-body.ts'
import { isObject } from '../../core/is-object.ts'
import { parseJsonObject } from './token/json-object.ts'

/**
 * Parses a request body. If a member occurs twice, JSON.parse keeps the last one, so a proxy that reads the first one would
 * check another credential than the one that is used here.
 * @throws SvcError `malformed_json`, or `malformed_request` if the outermost object names a member twice
 */
export function parseBody(bytes: Uint8Array): unknown {
  const value = parseJson(bytes)
  if (isObject(value) && parseJsonObject(bytes) === null) {
    throw httpFail('malformed_request', { message: 'The body names a member twice.' })
  }
  return value
}
