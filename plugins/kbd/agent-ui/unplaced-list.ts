/**
 * The list `unplaced` of a project: ids of cards without a place, ascending, with the operations that change the list.
 */

/** More changes of the list than these are sent as the whole list, if it is shorter. */
const FEW = 8

/** The list of one project. */
export class UnplacedList {
  #ids: string[]
  readonly #members: Set<string>

  constructor(ids: readonly string[]) {
    this.#ids = [...ids]
    this.#members = new Set(ids)
  }

  /** Updates the list for the given cards. Returns the operations that do the same, as JSON texts. */
  update(cards: Iterable<string>, hasPlace: (cardId: string) => boolean): readonly string[] {
    const changed: string[] = []
    for (const id of cards) {
      const isPlaced = hasPlace(id)
      if (isPlaced !== this.#members.has(id)) continue
      if (isPlaced) this.#members.delete(id)
      else this.#members.add(id)
      changed.push(id)
    }
    // If many cards change at once, as when a board is archived, the whole list is shorter.
    if (changed.length > FEW && changed.length * 2 > this.#members.size) {
      this.#ids = [...this.#members].sort()
      return [operation('replace', '/unplaced', JSON.stringify(this.#ids))]
    }
    return changed.map((id) => this.#move(id))
  }

  #move(id: string): string {
    const index = lowerBound(this.#ids, id)
    if (this.#members.has(id)) {
      this.#ids.splice(index, 0, id)
      return operation('add', `/unplaced/${index}`, JSON.stringify(id))
    }
    this.#ids.splice(index, 1)
    return operation('remove', `/unplaced/${index}`)
  }
}

/** The index of an id in an ascending list, or the index at which it belongs. */
function lowerBound(list: readonly string[], id: string): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = list[middle]
    if (other !== undefined && other < id) low = middle + 1
    else high = middle
  }
  return low
}

/** Makes an operation of a JSON patch (RFC 6902) as JSON text. Ids are UUIDs and hashes, so no path needs an escape. */
export function operation(op: 'add' | 'remove' | 'replace', path: string, json?: string): string {
  return json === undefined ? `{"op":"${op}","path":"${path}"}` : `{"op":"${op}","path":"${path}","value":${json}}`
}
