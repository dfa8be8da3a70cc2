/** The row of a statement that always returns one, such as an aggregate. Throws if there is none. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement about peers returned no row.')
  return row
}
