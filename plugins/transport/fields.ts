/** Joins the values of a repeated header field. */

/**
 * Joins `value` to the earlier value, as node:http does: cookies by a semicolon; of some fields only the first counts.
 */
export function joinField(name: string, before: string | undefined, value: string): string {
  if (before === undefined) return value
  if (name === 'cookie') return `${before}; ${value}`
  return single.has(name) ? before : `${before}, ${value}`
}

/** Fields of which only the first counts. */
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
