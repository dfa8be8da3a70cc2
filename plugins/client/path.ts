/** Paths with parts from a caller. */

/**
 * The path of a template with its `{parts}` filled in. Throws a `TypeError` for a part that is missing or empty, and
 * for `.` and `..`, which a URL parser resolves to another path, percent-encoded or not.
 */
export function pathOf(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name]
    if (typeof part !== 'string' || /^\.{0,2}$/.test(part))
      throw new TypeError(`${template}: ${name} cannot be ${JSON.stringify(part)}.`)
    return encodeURIComponent(part)
  })
}
