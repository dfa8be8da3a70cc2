/**
 * Whether a part of a URL can be decoded: a `%` that is not encoded as `%25` may make that impossible (RFC 3986 section
 * 2.4).
 */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
