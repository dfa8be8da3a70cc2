/** Writes the query of an address, with its question mark. Parameters without a value are left out. */
export function queryOf(given: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value !== undefined && value !== null) query.set(name, value)
  return `?${query}`
}
