/** Addresses as they may be shown. */

/**
 * Replaces the user name and password of each URL in a text, and its query, where keys of some providers are. Used for everything that is
 * logged or printed: settings, and errors of packages that quote an address. Paths of files (`file:`) stay.
 */
export function withoutCredentials(text: string): string {
  if (!text.includes('://')) return text
  return text.replace(user, '$1[redacted]@').replace(query, '$1?[redacted]')
}

const user = /(\b(?!file:)[a-z][a-z\d+.-]*:\/\/)[^\s/?#'"]*@/gi
const query = /(\b(?!file:)[a-z][a-z\d+.-]*:\/\/[^\s?#'"]*)\?[^\s#'"]+/gi
