/** Bounds of a JSON body. They are checked on its bytes before parsing, because parsing is the expensive step. */
import { httpFail } from '../../catalogue.ts'
import type { BodySpec, JsonBounds } from './body-spec.ts'

/** The bounds of a route that declares none. Parsing such a body takes less than 10 ms. */
const defaultJsonBounds: JsonBounds = { maxDepth: 64, maxMembers: 10_000 }

/** The bounds of a route's body; undefined for a body that is not JSON. */
export function jsonBoundsOf({ type, json }: BodySpec): JsonBounds | undefined {
  return type === 'application/json' ? { ...defaultJsonBounds, ...json } : undefined
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Counts the levels and members of a JSON text. Invalid JSON passes, because the parser refuses it at no greater cost.
 * @throws SvcError `malformed_request` if the text is nested too deep, `payload_too_large` if it has too many members
 */
export function checkJsonBounds(bytes: Uint8Array, { maxDepth, maxMembers }: JsonBounds): void {
  const { length } = bytes
  // Each level and each member takes a byte.
  if (length <= maxDepth && length <= maxMembers) return
  let depth = 0
  let members = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) members++
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth++
      // The first member of a container has no comma.
      members++
      if (depth > maxDepth) throw httpFail('malformed_request', { message: tooDeep(maxDepth) })
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    if (members > maxMembers) throw httpFail('payload_too_large', { message: tooMany(maxMembers) })
  }
}

/** The index of the quote that ends the string that starts at `start`, or the length. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

function tooDeep(levels: number): string {
  return `The body is nested deeper than the ${levels} levels that this route takes.`
}

function tooMany(members: number): string {
  return `The body has more than the ${members} members and items that this route takes.`
}
