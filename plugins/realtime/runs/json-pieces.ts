import { sizeOf } from '../json-size.ts'

/** Values up to this size are written at once, in bytes. */
const small = 16_384

/** The JSON text of a value in pieces. Each piece is made in a short time, however large the value is. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    // A pair of surrogates that is cut becomes two escapes, which a parser joins again.
    for (let from = 0; from < value.length; from += small)
      yield (from === 0 ? '"' : '') + JSON.stringify(value.slice(from, from + small)).slice(1, -1)
    yield value === '' ? '""' : '"'
    return
  }
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value)
    return
  }
  const list = Array.isArray(value)
  let text = list ? '[' : '{'
  let first = true
  // Not measured as a whole: to list the members of a large object takes milliseconds.
  for (const key of list ? value.keys() : Object.keys(value)) {
    const member = (value as Record<string | number, unknown>)[key]
    if (member === undefined && !list) continue
    text += (first ? '' : ',') + (list ? '' : `${JSON.stringify(key)}:`)
    first = false
    if (sizeOf(member, small) <= small) text += JSON.stringify(member) ?? 'null'
    else {
      yield text
      text = ''
      yield* jsonPieces(member)
    }
    if (text.length > small) {
      yield text
      text = ''
    }
  }
  yield text + (list ? ']' : '}')
}
