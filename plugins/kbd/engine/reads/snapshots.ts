/**
 * Snapshots of projects, shared by all readers. A project is read in slices of a few milliseconds, so that a large
 * project does not block other work. The changes of commands that come between two slices are applied afterwards, so a
 * snapshot shows one moment.
 */
import type { Applied, Standing } from '../../api.ts'
import { createDraft, MAPS, type MapName, type Places } from './draft.ts'
import type { KbdReads } from './reads.ts'

/** The state of a project at one moment. */
export interface Snapshot {
  readonly standing: Standing
  readonly root: string | null
  /** The body of GET project. All readers share these bytes and must not change them. */
  readonly bytes: Uint8Array
  readonly places: Places
}

/** Returns the state of a project at the call or later. */
export type Snapshots = (project: string) => Promise<Snapshot>

/** The parts of snapshots. */
export interface SnapshotParts {
  readonly boards: {
    /** Reads in one transaction. */
    read<T>(work: (reads: KbdReads) => T): Promise<T>
    /** Calls `listener` for each command that is on disk, until the returned function is called. */
    watch(listener: (applied: Applied, standing: Standing) => void): () => void
  }
  readonly monotonic: () => number
  /** Lets other work of the event loop go on. */
  readonly yieldLoop: () => Promise<void>
  /** Most bytes of cached snapshots. The newest is always kept; the least recently used is removed first. */
  readonly maxBytes: number
}

/** Milliseconds of one slice. Another request takes a few turns of the loop, so it waits for a few slices. */
const TURN_MS = 4
/** Rows of one statement. */
const PAGE = 64
/** Turns of the loop until `watch` must have reported a command that was read, which is on disk already. */
const MAX_TURNS = 10_000

interface End {
  /** The revision at the first row. */
  readonly first: number
  readonly standing: Standing
  readonly root: string | null
  readonly boards: readonly string[]
}

/** Makes the snapshots. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { boards, maxBytes } = parts
  const cached = new Map<string, Snapshot>()
  const inProgress = new Map<string, Promise<Snapshot>>()
  let sum = 0
  const drop = (project: string): void => {
    const snapshot = cached.get(project)
    if (snapshot !== undefined) sum -= sizeOf(snapshot)
    cached.delete(project)
  }
  const keep = (project: string, snapshot: Snapshot): void => {
    drop(project)
    cached.set(project, snapshot)
    sum += sizeOf(snapshot)
    for (const oldest of cached.keys()) {
      if (sum <= maxBytes || oldest === project) break
      drop(oldest)
    }
  }

  return async (project) => {
    const atCall = await boards.read((reads) => reads.standing(project))
    const present = cached.get(project)
    if (present !== undefined && present.standing.revision === atCall.revision) {
      keep(project, present)
      return present
    }
    for (;;) {
      let reading = inProgress.get(project)
      if (reading === undefined) {
        reading = readProject(project, parts).finally(() => inProgress.delete(project))
        inProgress.set(project, reading)
      }
      const snapshot = await reading
      // A read that began before this call may be older than the state at the call.
      if (snapshot.standing.revision < atCall.revision) continue
      keep(project, snapshot)
      return snapshot
    }
  }
}

/** Reads a project in slices, then applies the commands that came meanwhile. */
async function readProject(project: string, { boards, monotonic, yieldLoop }: SnapshotParts): Promise<Snapshot> {
  const reported: Applied[] = []
  const unwatch = boards.watch((applied) => void (applied.project === project && reported.push(applied)))
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
        // The revision at the end is read in the same transaction as the last row, so that no row is newer.
        if (rest.length > 0 && monotonic() >= untilMs) return undefined
      }
    }
    let end: End | undefined
    while ((end = await boards.read(readSlice)) === undefined) await yieldLoop()
    const { first: firstRevision, standing, root } = end
    // `watch` may report the commands of one commit in another order than the graph has. It reports each command, which
    // is one revision, once.
    const between = (): Applied[] =>
      reported.filter(({ revision }) => revision > firstRevision && revision <= standing.revision)
    for (let turns = 0; between().length < standing.revision - firstRevision; turns++) {
      if (turns === MAX_TURNS) throw new Error('A command is on disk and was not reported.')
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

/** Bytes that the id and the place of a card take, beside its text. */
const CARD_BYTES = 256

function sizeOf({ bytes, places }: Snapshot): number {
  return bytes.length + places.cards.size * CARD_BYTES
}
