/** Loads the chain backwards from its newest entry, and verifies each part that is loaded. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { MAX_PAGE, readBack } from '../../lib/audit-pages.ts'
import { useLoad } from '../../lib/load.ts'
import type { Reading } from '../../lib/reading.ts'
import { local } from '../../lib/service.ts'
import { type AuditEntry, type AuditHead, type Break, START, walk } from './chain.ts'

/** A chain with fewer entries than this is read and hashed as a whole, without a request of the reader. */
export const AUTOMATIC_ENTRIES = 10_000
const POLL_MS = 3_000

/** The loaded part of the chain. */
export interface Ledger {
  /** In order of `seq`, without a gap unless the chain has a gap. */
  readonly entries: readonly AuditEntry[]
  readonly head: AuditHead | undefined
  readonly breaks: readonly Break[]
  /** Number of entries whose hash was computed. */
  readonly count: number
  /** Whether the first entry of the chain is loaded. */
  readonly isWhole: boolean
  readonly isBusy: boolean
  /** What is known of the chain. */
  readonly reading: Reading<AuditHead>
  /** Loads older entries. */
  older(): void
}

interface Page {
  readonly entries: readonly AuditEntry[]
  readonly head: AuditHead
}

interface LoadedPart {
  readonly entries: readonly AuditEntry[]
  readonly head: AuditHead | undefined
  /** The loaded part starts after this `seq`. */
  readonly after: number
  readonly breaks: readonly Break[]
  readonly count: number
}

const NOTHING: LoadedPart = { entries: [], head: undefined, after: 0, breaks: [], count: 0 }

/** Reads a page of the chain: at most `limit` entries with a greater `seq` than `after`. */
export function readAudit(after: number, limit: number, signal?: AbortSignal): Promise<Page> {
  return local<Page>(`/api/v1/audit?after=${after}&limit=${limit}`, { ...(signal !== undefined && { signal }) })
}

/** Loads the chain backwards from its end, and its new entries every few seconds. */
export function useLedger(): Ledger {
  const [part, setPart] = useState(NOTHING)
  const [wantedCount, setWantedCount] = useState(MAX_PAGE)
  const latest = useRef(part)
  const { error, atMs } = useLoad(
    async (stop) => {
      let next = await withNewer(latest.current, stop)
      const isSmall = (next.head?.seq ?? 0) < AUTOMATIC_ENTRIES
      if (isSmall || next.entries.length < wantedCount) next = await withOlder(next, stop)
      // After an abort, a newer load has started from the same state. This result is dropped.
      if (stop.aborted || next === latest.current) return
      latest.current = next
      setPart(next)
    },
    { everyMs: POLL_MS, changes: [wantedCount] },
  )
  useEffect(() => {
    // A small chain is read to its beginning at once, so that all of it can be verified.
    if (part.after > 0 && (part.head?.seq ?? 0) < AUTOMATIC_ENTRIES) setWantedCount(part.entries.length + MAX_PAGE)
  }, [part])
  return {
    ...part,
    isWhole: part.head !== undefined && part.after === 0,
    isBusy: part.head === undefined || (part.after > 0 && part.entries.length < wantedCount),
    reading: { data: part.head, error, atMs },
    older: () => latest.current.after > 0 && setWantedCount(latest.current.entries.length + MAX_PAGE),
  }
}

/** Reads the entries after the newest loaded entry, or at first the newest page. */
async function withNewer(part: LoadedPart, signal: AbortSignal): Promise<LoadedPart> {
  if (part.head === undefined) {
    const { head } = await readAudit(0, 1, signal)
    return withOlder({ ...part, head, after: head.seq }, signal)
  }
  const last = part.entries.at(-1)
  const from = last ?? START
  const { entries, head } = await readAudit(from.seq, MAX_PAGE, signal)
  if (entries.length === 0) return head.hash === part.head.hash ? part : { ...part, head }
  const { breaks, count } = await walk(entries, { from })
  return {
    ...part,
    head,
    entries: [...part.entries, ...entries],
    breaks: [...part.breaks, ...breaks],
    count: part.count + count,
  }
}

/** Reads the entries before the oldest loaded entry, and verifies that this entry follows them. */
async function withOlder(part: LoadedPart, signal: AbortSignal): Promise<LoadedPart> {
  if (part.after === 0) return part
  const read = async (after: number, limit: number): Promise<readonly AuditEntry[]> =>
    (await readAudit(after, limit, signal)).entries
  const { entries, after } = await readBack(read, part.after, MAX_PAGE)
  const joined = [...entries, ...part.entries.slice(0, 1)]
  const { breaks, count } = await walk(joined, { from: after === 0 ? START : undefined })
  return {
    ...part,
    after,
    entries: [...entries, ...part.entries],
    breaks: [...part.breaks, ...breaks],
    count: part.count + count,
  }
}
