/**
 * Projects as they are shown, read in slices of some milliseconds and shared by all who read them: however large a project is,
 * nobody else waits for it. What a command changes between two slices is put in afterwards, so that a snapshot is of one moment.
 */
import type { Applied, Standing } from '../../api.ts'
import { createDraft, MAPS, type MapName, type Places } from './draft.ts'
import type { KbdReads } from './reads.ts'

/** A project as it stood at one moment. */
export interface Snapshot {
  readonly standing: Standing
  readonly root: string | null
  /** The body of GET project: shared, and never changed. */
  readonly bytes: Uint8Array
  readonly places: Places
}

/** Gives a project as it stands at the call, or later. */
export type Snapshots = (project: string) => Promise<Snapshot>

/** What snapshots are made of. */
export interface SnapshotParts {
  readonly boards: {
    /** Reads in one look. */
    read<T>(work: (reads: KbdReads) => T): Promise<T>
    /** Hears of each command that is on disk, until the returned function is called. */
    watch(listener: (applied: Applied, standing: Standing) => void): () => void
  }
  readonly monotonic: () => number
  /** Lets other work of the event loop go on. */
  readonly yieldLoop: () => Promise<void>
  /** Bytes of projects that are kept: the newest always, and the project that was not asked for the longest goes first. */
  readonly maxBytes: number
}

/** Milliseconds of one slice: an answer to somebody else takes a few turns of the loop. */
const TURN_MS = 4
/** Rows of one statement. */
const PAGE = 64
/** Turns of the loop in which what was read has to be told of: it is on disk already. */
const MAX_TURNS = 10_000

interface End {
  /** The revision at the first row. */
  readonly first: number
  readonly standing: Standing
  readonly root: string | null
  readonly boards: readonly string[]
}

/** Makes them. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { boards, maxBytes } = parts
  const kept = new Map<string, Snapshot>()
  const making = new Map<string, Promise<Snapshot>>()
  let sum = 0
  const drop = (project: string): void => {
    const snapshot = kept.get(project)
    if (snapshot !== undefined) sum -= sizeOf(snapshot)
    kept.delete(project)
  }
  const keep = (project: string, snapshot: Snapshot): void => {
    drop(project)
    kept.set(project, snapshot)
    sum += sizeOf(snapshot)
    for (const oldest of kept.keys()) {
      if (sum <= maxBytes || oldest === project) break
      drop(oldest)
    }
  }

  return async (project) => {
    const asked = await boards.read((reads) => reads.standing(project))
    const known = kept.get(project)
    if (known !== undefined && known.standing.revision === asked.revision) {
      keep(project, known)
      return known
    }
    for (;;) {
      let made = making.get(project)
      if (made === undefined) {
        made = readProject(project, parts).finally(() => making.delete(project))
        making.set(project, made)
      }
      const snapshot = await made
      // One that others were waiting for already may be older than what this caller has seen.
      if (snapshot.standing.revision < asked.revision) continue
      keep(project, snapshot)
      return snapshot
    }
  }
}

/** Reads a project in slices. Commands that come meanwhile are put in afterwards. */
async function readProject(project: string, { boards, monotonic, yieldLoop }: SnapshotParts): Promise<Snapshot> {
  const heard: Applied[] = []
  const unwatch = boards.watch((applied) => void (applied.project === project && heard.push(applied)))
  try {
    const draft = createDraft()
    const rest: MapName[] = [...MAPS]
    let after = ''
    let first: number | undefined
    const readSlice = (reads: KbdReads): End | undefined => {
      first ??= reads.standing(project).revision
      for (const untilMs = monotonic() + TURN_MS; ; ) {
        const [map] = rest
        if (map === undefined) {
          const boards = reads.boardOrder(project)
          return { first, standing: reads.standing(project), root: reads.root(project), boards }
        }
        const rows = reads.viewPage(project, map, after, PAGE)
        draft.take(map, rows)
        after = rows.at(-1)?.[0] ?? after
        if (rows.length < PAGE) {
          rest.shift()
          after = ''
        }
        // The end is read in the same transaction as the last row, so that no row is newer.
        if (rest.length > 0 && monotonic() >= untilMs) return undefined
      }
    }
    let end: End | undefined
    while ((end = await boards.read(readSlice)) === undefined) await yieldLoop()
    const { first: begun, standing, root } = end
    // Commands of one commit may be heard of in another order than they have in the graph. Each is one revision, and heard of once.
    const between = (): Applied[] => heard.filter(({ revision }) => revision > begun && revision <= standing.revision)
    for (let turns = 0; between().length < standing.revision - begun; turns++) {
      if (turns === MAX_TURNS) throw new Error('A command is on disk and was not told of.')
      await yieldLoop()
    }
    for (const { changes } of between().sort((one, other) => one.revision - other.revision)) draft.apply(changes)
    const head = { project, root, revision: standing.revision, frontier: standing.frontier }
    const finishing = draft.finish({ ...head, headCount: standing.headCount }, end.boards)
    for (let isDone = false; !isDone; ) {
      const untilMs = monotonic() + TURN_MS
      while (!isDone && monotonic() < untilMs) isDone = finishing.next().done === true
      if (!isDone) await yieldLoop()
    }
    return { standing, root, ...draft.finished() }
  } finally {
    unwatch()
  }
}

/** What the ids and places of a card take, beside its text. */
const CARD_BYTES = 256

function sizeOf({ bytes, places }: Snapshot): number {
  return bytes.length + places.cards.size * CARD_BYTES
}
