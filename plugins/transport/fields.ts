/** What the value of a header field is that came more than once. */

/** `value` joined to what stood before it, as node:http does it: cookies by a semicolon, of some fields the first alone. */
export function joinField(name: string, before: string | undefined, value: string): string {
  if (before === undefined) return value
  if (name === 'cookie') return `${before}; ${value}`
  return single.has(name) ? before : `${before}, ${value}`
}

/** Fields of which the first counts. */
const single: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
])
