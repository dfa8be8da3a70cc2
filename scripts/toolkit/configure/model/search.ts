/** Search in the list of features. */

/** The features whose name or summary has all words of a search. */
export function found<Row extends { readonly id: string; readonly summary: string }>(
  rows: readonly Row[],
  search: string,
): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/)
  return rows.filter(({ id, summary }) => words.every((word) => `${id} ${summary}`.toLowerCase().includes(word)))
}
