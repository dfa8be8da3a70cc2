/** The part of the chain that is loaded: from its newest entry back as far as was read, verified as it comes. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { MAX_PAGE, readBack } from '../../lib/audit-pages.ts'
import { useLoad } from '../../lib/load.ts'
import { local, type ServiceError } from '../../lib/service.ts'
import { type AuditEntry, type AuditHead, type Break, START, walk } from './chain.ts'

/** How many entries are read, and hashed, without being asked for. */
export const AUTOMATIC_ENTRIES = 10_000
const POLL_MS = 3_000

/** The chain as the view has it. */
export interface Ledger {
  /** In order of `seq`, without a gap unless the chain has one. */
  readonly entries: readonly AuditEntry[]
  readonly head: AuditHead | undefined
  readonly breaks: readonly Break[]
  /** Entries whose hash was computed. */
  readonly count: number
  /** Whether the first entry of the chain is loaded. */
  readonly isWhole: boolean
  readonly isBusy: boolean
  readonly error: ServiceError | undefined
  /** Reads older entries. */
  older(): void
}

interface Page {
  readonly entries: readonly AuditEntry[]
  readonly head: AuditHead
}

interface Held {
  readonly entries: readonly AuditEntry[]
  readonly head: AuditHead | undefined
  /** The chain is loaded down to this `seq`, exclusive. */
  readonly after: number
  readonly breaks: readonly Break[]
  readonly count: number
}

const NOTHING: Held = { entries: [], head: undefined, after: 0, breaks: [], count: 0 }

/** A page of the chain. */
export function readAudit(after: number, limit: number, signal?: AbortSignal): Promise<Page> {
  return local<Page>(`/api/v1/audit?after=${after}&limit=${limit}`, { ...(signal !== undefined && { signal }) })
}

/** Loads the chain from its end, and what is new every few seconds. */
export function useLedger(): Ledger {
  const [held, setHeld] = useState(NOTHING)
  const [wanted, setWanted] = useState(MAX_PAGE)
  const latest = useRef(held)
  const { error } = useLoad(
    async (stop) => {
      let next = await withNewer(latest.current, stop)
      const isSmall = (next.head?.seq ?? 0) < AUTOMATIC_ENTRIES
      if (isSmall || next.entries.length < wanted) next = await withOlder(next, stop)
      // A newer load has begun, and works on what was there before.
      if (stop.aborted || next === latest.current) return
      latest.current = next
      setHeld(next)
    },
    { everyMs: POLL_MS, inputs: [wanted] },
  )
  useEffect(() => {
    // A small chain is read to its beginning at once, so that all of it can be verified.
    if (held.after > 0 && (held.head?.seq ?? 0) < AUTOMATIC_ENTRIES) setWanted(held.entries.length + MAX_PAGE)
  }, [held])
  return {
    ...held,
    isWhole: held.head !== undefined && held.after === 0,
    isBusy: held.head === undefined || (held.after > 0 && held.entries.length < wanted),
    error,
    older: () => latest.current.after > 0 && setWanted(latest.current.entries.length + MAX_PAGE),
  }
}

/** Reads what came after the newest entry at hand; at first, the newest page. */
async function withNewer(held: Held, signal: AbortSignal): Promise<Held> {
  if (held.head === undefined) {
    const { head } = await readAudit(0, 1, signal)
    return withOlder({ ...held, head, after: head.seq }, signal)
  }
  const last = held.entries.at(-1)
  const from = last ?? START
  const { entries, head } = await readAudit(from.seq, MAX_PAGE, signal)
  if (entries.length === 0) return head.hash === held.head.hash ? held : { ...held, head }
  const { breaks, count } = await walk(entries, { from })
  return {
    ...held,
    head,
    entries: [...held.entries, ...entries],
    breaks: [...held.breaks, ...breaks],
    count: held.count + count,
  }
}

/** Reads the page before the oldest entry at hand, and joins it to that entry. */
async function withOlder(held: Held, signal: AbortSignal): Promise<Held> {
  if (held.after === 0) return held
  const read = async (after: number, limit: number): Promise<readonly AuditEntry[]> =>
    (await readAudit(after, limit, signal)).entries
  const { entries, after } = await readBack(read, held.after, MAX_PAGE)
  const joined = [...entries, ...held.entries.slice(0, 1)]
  const { breaks, count } = await walk(joined, { from: after === 0 ? START : undefined })
  return {
    ...held,
    after,
    entries: [...entries, ...held.entries],
    breaks: [...held.breaks, ...breaks],
    count: held.count + count,
  }
}
