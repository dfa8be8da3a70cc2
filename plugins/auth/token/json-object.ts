/** Strict JSON objects: in tokens, and in bodies that name a credential. */
import { parseJson } from '../../../core/http/json-body.ts'
import { strictUtf8 } from '../../../core/kernel/bytes.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject } from '../../../core/kernel/values.ts'

/** A parsed JSON object. Read its members with `ownMember`, because unverified input chooses the names. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Parses a JSON object. Returns null if the bytes are not UTF-8, begin with a byte order mark, are not JSON, are not an
 * object, or name a member twice. RFC 7515 section 4 requires unique names in a header, and JSON.parse silently keeps
 * the last of two.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject | null {
  try {
    const text = strictUtf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return isObject(value) && Object.keys(value).length === countMembers(text) ? value : null
  } catch {
    return null
  }
}

/** Returns the own member `name` of `object`, never one of its prototype. */
export function ownMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Counts the members of the outermost object of a valid JSON text: the colons at depth 1 outside of strings. */
function countMembers(text: string): number {
  let members = 0
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (inString) {
      if (char === '\\') index++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    else if (char === ':' && depth === 1) members++
  }
  return members
}

/**
 * Parses a request body. If a member occurs twice, JSON.parse keeps the last one, so a proxy that reads the first one
 * would check another credential than the one that is used here.
 * @throws SvcError `malformed_json`, or `malformed_request` if the outermost object names a member twice
 */
export function parseBody(bytes: Uint8Array): unknown {
  const value = parseJson(bytes)
  if (isObject(value) && parseJsonObject(bytes) === null) {
    throw httpFail('malformed_request', { message: 'The body names a member twice.' })
  }
  return value
}
