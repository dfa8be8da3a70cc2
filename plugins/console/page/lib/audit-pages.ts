/** Reads the audit chain from its end: the service lists it from its beginning only. */

/** The part of an entry that paging needs. */
interface Numbered {
  readonly seq: number
}

/** Reads entries with a greater `seq` than `after`, in order, `limit` at most. */
export type ReadEntries<T extends Numbered> = (after: number, limit: number) => Promise<readonly T[]>

/** Most entries that the service gives at a time. */
export const MAX_PAGE = 1_000
/** A range of the chain that is looked through in one go, at most; entries of one kind may be rare. */
const MAX_RANGE = 64 * MAX_PAGE

/** Entries of one range of the chain, and where the range begins. */
export interface EntryRange<T> {
  /** In order of `seq`. */
  readonly entries: readonly T[]
  /** The range holds no entry up to this `seq`; 0 if it reaches the beginning of the chain. */
  readonly after: number
}

/** Reads all entries with `after < seq <= to`. */
async function readBetween<T extends Numbered>(read: ReadEntries<T>, after: number, to: number): Promise<readonly T[]> {
  const found: T[] = []
  for (let cursor = after; cursor < to; ) {
    const page = await read(cursor, Math.min(MAX_PAGE, to - cursor))
    const fitting = page.filter(({ seq }) => seq > cursor && seq <= to)
    found.push(...fitting)
    const last = fitting.at(-1)
    if (last === undefined || page.length < Math.min(MAX_PAGE, to - cursor) || fitting.length < page.length) break
    cursor = last.seq
  }
  return found
}

/** Reads back from `to` until there are `wanted` entries or the chain begins. The range grows while entries are rare. */
export async function readBack<T extends Numbered>(
  read: ReadEntries<T>,
  to: number,
  wanted: number,
): Promise<EntryRange<T>> {
  let entries: readonly T[] = []
  let after = to
  for (let range = MAX_PAGE; after > 0 && entries.length < wanted; range = Math.min(MAX_RANGE, range * 2)) {
    const from = Math.max(0, after - range)
    entries = [...(await readBetween(read, from, after)), ...entries]
    after = from
  }
  return { entries, after }
}
