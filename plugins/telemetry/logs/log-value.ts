/**
 * Converts the value of a field to plain data: secrets are removed, cycles are cut, the size is bounded. Never throws,
 * because a log statement must not break the code around it.
 */
import { withoutCredentials } from '../../../core/kernel/printable.ts'

/** A JSON value. */
export type LogValue = string | number | boolean | null | readonly LogValue[] | { readonly [name: string]: LogValue }

/** Converts the value of field `name`; returns undefined for undefined and functions. */
export function toLogValue(name: string, value: unknown): LogValue | undefined {
  return convert(name, value, [])
}

/** Reads a member. A getter may throw, and only its own value is lost then. */
export function readMember(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name)
  } catch {
    return UNREADABLE
  }
}

const UNREADABLE = '[unreadable]'

/** Maximum nesting below a field. */
const MAX_DEPTH = 6
/** Maximum number of members of one array or object. */
const MAX_MEMBERS = 100
/** Maximum length of one string in UTF-16 units, stacks included. */
const MAX_STRING = 16_384

function convert(name: string, value: unknown, parents: readonly object[]): LogValue | undefined {
  switch (typeof value) {
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'undefined':
    case 'function':
      return undefined
  }
  if (value === null) return null
  // Numbers and booleans were returned above: `tokens: 12` is a count, and secrets are never numbers.
  if (isSecretName(name)) return redacted
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object') return cut(String(value))
  if (parents.includes(value)) return '[circular]'
  if (parents.length === MAX_DEPTH) return '[deeper]'
  try {
    return fromObject(name, value, [...parents, value])
  } catch {
    return UNREADABLE
  }
}

function fromObject(name: string, value: object, parents: readonly object[]): LogValue | undefined {
  if (value instanceof Error) return fromError(value, parents)
  if ('toJSON' in value && typeof value.toJSON === 'function') return convert(name, value.toJSON(), parents)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return fromList(name, value, parents)
  if (value instanceof Set) return fromList(name, [...value], parents)
  return fromEntries(value instanceof Map ? [...value] : membersOf(value, Object.keys(value)), parents)
}

function fromList(name: string, list: readonly unknown[], parents: readonly object[]): LogValue {
  const shown = list.slice(0, MAX_MEMBERS).map((member) => convert(name, member, parents) ?? null)
  return list.length > MAX_MEMBERS ? [...shown, `[${list.length - MAX_MEMBERS} more]`] : shown
}

function fromEntries(entries: readonly (readonly [unknown, unknown])[], parents: readonly object[]): LogValue {
  const result: Record<string, LogValue> = Object.create(null)
  for (const [key, member] of entries.slice(0, MAX_MEMBERS)) {
    const converted = convert(String(key), member, parents)
    if (converted !== undefined) result[String(key)] = converted
  }
  if (entries.length > MAX_MEMBERS) result['…'] = `[${entries.length - MAX_MEMBERS} more]`
  return result
}

function fromError(error: Error, parents: readonly object[]): LogValue {
  // A set, because a member may be enumerable too. The `errors` of an AggregateError are not.
  const names = new Set(['name', 'message', ...Object.keys(error).filter((name) => !LAST.includes(name)), ...LAST])
  return fromEntries(membersOf(error, [...names]), parents)
}

/** The long members of an error, which are printed last. */
const LAST = ['errors', 'stack', 'cause']

function membersOf(object: object, names: readonly string[]): readonly (readonly [string, unknown])[] {
  return names.map((name) => [name, readMember(object, name)])
}

function cut(value: string): string {
  const text = withoutCredentials(value)
  return text.length <= MAX_STRING ? text : `${text.slice(0, MAX_STRING)}… [${text.length - MAX_STRING} more]`
}

/** The text that replaces a secret. */
const redacted = '[redacted]'

/** Whether a value with this name must not be printed. Names are compared by word: `apiKey` equals `api-key`. */
function isSecretName(name: string): boolean {
  let isSecret = decided.get(name)
  if (isSecret === undefined) {
    isSecret = secretWords.test(toWords(name))
    if (decided.size < DECIDED_NAMES) decided.set(name, isSecret)
  }
  return isSecret
}

const secretWords =
  /(^|-)(secrets?|passwords?|passwd|passphrases?|pwd|tokens?|jwts?|bearer|authorization|cookies?|credentials?|signatures?|apikeys?|(api|private|signing|secret|raw)-keys?)(-|$)/

/** Maximum number of cached names. Most names are in the code; the limit protects against names from data. */
const DECIDED_NAMES = 1_000
const decided = new Map<string, boolean>()

function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}
