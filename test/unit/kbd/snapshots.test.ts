/**
 * Snapshots of projects are read in slices and shared. Each snapshot shows one moment, whatever happens between slices.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Applied, Command, Standing } from '../../../plugins/kbd/api.ts'
import { createSnapshots, type Snapshots } from '../../../plugins/kbd/engine/reads/snapshots.ts'
import { drivers, openNode, proven, START_MS, uuidOf } from './boards.ts'

const open = drivers['node:sqlite']!
const [BOARD, COLUMN] = [uuidOf(1), uuidOf(2)]

/** A node whose snapshots are read in slices of a few pages. `meanwhile` runs between two slices. */
function board(maxBytes: number, meanwhile: () => void = () => undefined) {
  const { ledger } = openNode(open)
  const watchers = new Set<(applied: Applied, standing: Standing) => void>()
  let [looks, timeMs] = [0, 0]
  const snapshot: Snapshots = createSnapshots({
    boards: {
      read: async (work) => {
        const pages = { ...ledger, viewPage: (...given: Parameters<typeof ledger.viewPage>) => page(...given) }
        return work(pages)
      },
      watch(listener) {
        watchers.add(listener)
        return () => void watchers.delete(listener)
      },
    },
    // A page takes longer than a slice.
    monotonic: () => timeMs,
    yieldLoop: async () => meanwhile(),
    maxBytes,
  })
  const page: typeof ledger.viewPage = (...given) => {
    timeMs += 5
    looks++
    return ledger.viewPage(...given)
  }
  /** Enters a command. The watchers are notified when the returned function is called. */
  const enterQuietly = (command: Command, project = 'demo'): (() => void) => {
    const { heads } = ledger.standing(project).frontier
    const applied = ledger.enter(proven(command, { project, parents: heads }), START_MS)
    return () => {
      for (const watcher of watchers) watcher(applied, applied)
    }
  }
  return {
    ledger,
    snapshot,
    looks: () => looks,
    watchers,
    enter(command: Command, project = 'demo'): void {
      enterQuietly(command, project)()
    },
    enterQuietly,
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function withCards(it: ReturnType<typeof board>, count: number, project = 'demo'): void {
  it.enter({ type: 'board.create', boardId: BOARD, title: 'B' }, project)
  it.enter({ type: 'column.create', boardId: BOARD, columnId: COLUMN, title: 'C', rank: 'a' }, project)
  for (let n = 0; n < count; n++)
    it.enter(
      { type: 'card.create', boardId: BOARD, columnId: COLUMN, cardId: uuidOf(100 + n), title: 'x', rank: 'a' },
      project,
    )
}

test('commands that are reported in another order are applied in the order of the graph', async () => {
  let turn = 0
  const it = board(1_000_000, () => {
    if (turn++ > 0) return
    const [first, second] = ['first', 'second'].map((title) =>
      it.enterQuietly({ type: 'card.update', cardId: uuidOf(100), title }),
    )
    second!()
    first!()
  })
  withCards(it, 300)
  const { bytes, standing } = await it.snapshot('demo')
  assert.is(standing.revision, 304)
  assert.is(JSON.parse(textOf(bytes)).cards[uuidOf(100)].title, 'second')
})

test('changes between two slices are in the snapshot, which shows one moment', async () => {
  let turn = 0
  const it = board(1_000_000, () => {
    turn++
    // Changes in parts that were read and in parts that were not: a card changes, a card is added, a claim is acquired,
    // a column is archived.
    if (turn > 8) return
    it.enter({ type: 'card.update', cardId: uuidOf(100 + turn), title: `changed ${turn}` })
    it.enter({
      type: 'card.create',
      boardId: BOARD,
      columnId: COLUMN,
      cardId: uuidOf(turn + 2),
      title: 'new',
      rank: 'b',
    })
    if (turn === 2)
      it.enter({ type: 'claim.acquire', claimId: uuidOf(9), cardId: uuidOf(100), agent: null, leaseMs: 60_000 })
    if (turn === 3) it.enter({ type: 'column.archive', columnId: COLUMN, archived: true })
  })
  withCards(it, 300)
  const { bytes, standing, places } = await it.snapshot('demo')
  assert.ok(turn > 3, `${turn}`)
  // Commands may arrive after the last slice.
  const again = await it.snapshot('demo')
  assert.is(again.standing.revision, it.ledger.standing('demo').revision)
  assert.is(textOf(again.bytes), it.ledger.snapshotText('demo'))
  assert.ok(standing.revision > 302)
  assert.is((JSON.parse(textOf(bytes)) as { revision: number }).revision, standing.revision)
  assert.equal(places.unplaced, (JSON.parse(textOf(bytes)) as { unplaced: unknown }).unplaced)
  assert.is(it.watchers.size, 0)
})

test('concurrent requests share a reading, and a request after a later command does not get an earlier state', async () => {
  const it = board(1_000_000)
  withCards(it, 300)
  const [one, two] = await Promise.all([it.snapshot('demo'), it.snapshot('demo')])
  assert.is(one, two)
  const reads = it.looks()
  assert.is(await it.snapshot('demo'), one)
  assert.is(it.looks(), reads, 'kept')
  const early = it.snapshot('demo')
  it.enter({ type: 'board.update', boardId: BOARD, title: 'later' })
  const late = await it.snapshot('demo')
  assert.is(late.standing.revision, one.standing.revision + 1)
  assert.ok((await early).standing.revision >= one.standing.revision)
})

test('the newest snapshot is kept whatever its size, others while there is room', async () => {
  const read = async (maxBytes: number, projects: readonly string[]): Promise<number> => {
    const it = board(maxBytes)
    for (const project of ['a', 'b', 'c']) withCards(it, 2, project)
    for (const project of projects) await it.snapshot(project)
    return it.looks() / 5
  }
  assert.is(await read(1_000_000, ['a', 'b', 'a', 'b', 'a']), 2)
  assert.is(await read(3_500, ['a', 'b', 'c', 'b', 'c', 'a', 'a']), 4, 'the least recently used one is dropped')
  assert.is(await read(0, ['a', 'a', 'b', 'b', 'a']), 3)
})

test.run()
