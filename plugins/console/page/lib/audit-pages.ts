/** Reads the audit chain backwards from its end, although the service lists entries only in ascending order. */

/** The part of an entry that paging needs. */
interface Numbered {
  readonly seq: number
}

/** Reads at most `limit` entries whose `seq` is greater than `after`, in ascending order. */
export type ReadEntries<T extends Numbered> = (after: number, limit: number) => Promise<readonly T[]>

/** The largest number of entries that the service returns at once. */
export const MAX_PAGE = 1_000
/**
 * The largest range of the chain that is read at once. It is larger than a page, because entries of one kind may be
 * rare.
 */
const MAX_RANGE = 64 * MAX_PAGE

/** The entries of one range of the chain, and the start of the range. */
export interface EntryRange<T> {
  /** In order of `seq`. */
  readonly entries: readonly T[]
  /** The range starts after this `seq`; 0 if the range starts with the first entry of the chain. */
  readonly after: number
}

/** Reads all entries with `after < seq <= to`. */
async function readBetween<T extends Numbered>(read: ReadEntries<T>, after: number, to: number): Promise<readonly T[]> {
  const entries: T[] = []
  for (let cursor = after; cursor < to; ) {
    const page = await read(cursor, Math.min(MAX_PAGE, to - cursor))
    const matching = page.filter(({ seq }) => seq > cursor && seq <= to)
    entries.push(...matching)
    const last = matching.at(-1)
    if (last === undefined || page.length < Math.min(MAX_PAGE, to - cursor) || matching.length < page.length) break
    cursor = last.seq
  }
  return entries
}

/**
 * Reads backwards from `to` until there are `wanted` entries, or to the first entry. The range doubles while entries
 * are rare.
 */
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
