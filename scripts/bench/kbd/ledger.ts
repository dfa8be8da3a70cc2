/**
 * Measures the ledger alone, without the service. Each result is a ratio of two operations that were measured in turn.
 */

import { join } from 'node:path'
import { search } from '../../../plugins/kbd/search/search.ts'
import { createSearchIndex } from '../../../plugins/kbd/search/search-index.ts'
import { median } from '../statistics.ts'
import { type Board, chain, codecs, createDevice, edit, openBoard, type SignedCommand, setup } from './board.ts'

const ROUNDS = 60
const WARM_UP = 10
/**
 * Number of commands that are measured together. It is above one, so that costs that only some commands have are
 * included.
 */
const STRIDE = 20

/** Runs `work` and returns its duration in milliseconds. */
function timed(work: () => unknown): number {
  const fromMs = performance.now()
  work()
  return performance.now() - fromMs
}

/** The median ratio of the durations of two operations that run in turn. */
function compare(one: () => unknown, other: () => unknown): number {
  const ratios = Array.from({ length: ROUNDS }, () => timed(one) / timed(other))
  return median(ratios.slice(WARM_UP))
}

/**
 * The cost of the last 1 000 of `total` commands on one board, divided by the cost of the second 1 000. The same
 * commands run in turn on two boards, one of which already has the earlier commands. Each command is first looked up,
 * and then answered, as the service does. The boards are in files, as in the service, because a database in memory
 * keeps a journal that grows with it. Synchronous writes are off.
 */
export function measureAppends(folder: string, total: number): number {
  const device = createDevice()
  const edits = Array.from({ length: total }, (_, n) => edit(n % 200, `Title ${n}`))
  const signed = chain(device, [...setup(200), ...edits])
  const begin = (from: number): { readonly board: Board; readonly next: () => void } => {
    const board = openBoard(join(folder, `appends-${from}.db`))
    board.driver.exec('PRAGMA synchronous = OFF')
    board.add(signed.slice(0, 202 + from))
    let at = 202 + from
    const next = (): void => {
      for (const command of signed.slice(at, (at += STRIDE))) {
        board.ledger.findByCommandId('bench', command.envelope.signerKeyId, command.envelope.commandId)
        board.add([command])
        board.ledger.standing('bench')
        board.ledger.conflictIds('bench')
      }
    }
    return { board, next }
  }
  const [late, early] = [begin(total - 1_000), begin(1_000)]
  const ratios = Array.from({ length: 1_000 / STRIDE }, (_, n) => {
    // The order alternates, because the first operation leaves the caches in another state for the second.
    if (n % 2 === 0) return timed(late.next) / timed(early.next)
    const earlyMs = timed(early.next)
    return timed(late.next) / earlyMs
  })
  late.board.close()
  early.board.close()
  return median(ratios)
}

/**
 * The time to open a graph of `total` commands in a file and to read its project, divided by the time for a hundredth
 * of the commands.
 */
export function measureOpening(folder: string, total: number): number {
  const [small, large] = [total / 100, total].map((count) => fill(join(folder, `graph-${count}.db`), count))
  const open = (file: string) => (): void => {
    const board = openBoard(file)
    if (board.ledger.snapshotText('bench') === '') throw new Error('nothing')
    board.close()
  }
  return compare(open(large!), open(small!))
}

/** Number of cards in the opened graph. */
const CARDS = 100

/** Writes `count` commands to a file: first the cards, then edits of the cards. */
function fill(file: string, count: number): string {
  const device = createDevice()
  const board = openBoard(file)
  let batch = chain(device, setup(CARDS))
  board.add(batch)
  for (let n = batch.length; n < count; n += batch.length) {
    const edits = Array.from({ length: Math.min(1_000, count - n) }, (_, i) => edit((n + i) % CARDS, `Title ${n + i}`))
    batch = chain(device, edits, batch.at(-1)!.id)
    board.add(batch)
  }
  const { revision } = board.ledger.standing('bench')
  if (revision !== count) throw new Error(`${revision} commands`)
  board.close()
  return file
}

/** The time of a snapshot of `cards` cards, divided by that of `JSON.stringify` of the same state. */
export function measureSnapshot(cards: number): number {
  const board = openBoard()
  board.add(chain(createDevice(), setup(cards)))
  const value = board.ledger.snapshot('bench')
  const ratio = compare(
    () => board.ledger.snapshotText('bench'),
    () => JSON.stringify(value),
  )
  board.close()
  return ratio
}

/** The time of a search over `cards` cards, divided by that of the bare FTS5 query. */
export function measureSearch(cards: number): number {
  const board = openBoard(':memory:')
  const index = createSearchIndex(board.driver, codecs)
  index.open()
  board.add(chain(createDevice(), setup(cards)))
  // The commands were added without the index. Opening the index again indexes them.
  index.open()
  const bare = board.driver.prepare(
    `SELECT rowid, bm25(search_words), snippet(search_words, -1, '', '', '…', 16) FROM search_words
     WHERE search_words MATCH ? ORDER BY rank LIMIT 20`,
  )
  const query = { text: 'word7 card', project: 'bench', kind: undefined, limit: 20 }
  const found = search(board.driver, board.ledger, query).results.length
  if (found !== 20) throw new Error(`found ${found}`)
  const ratio = compare(
    () => search(board.driver, board.ledger, query),
    () => bare.all('"word7" "card"'),
  )
  board.close()
  return ratio
}

/**
 * The time of one command whose parent is `depth` commands behind, divided by the time of `depth` commands in sequence.
 */
export function measureDivergence(depth: number): number {
  const device = createDevice()
  const other = createDevice()
  const begin = (): { readonly board: Board; readonly head: string; readonly plain: readonly SignedCommand[] } => {
    const board = openBoard()
    board.add(chain(device, setup(200)))
    const [head] = board.ledger.standing('bench').frontier.heads as [string]
    const commands = Array.from({ length: depth }, (_, n) => edit(n % 200, `Title ${n}`))
    return { board, head, plain: chain(device, commands, head) }
  }
  const ratios = Array.from({ length: 10 }, () => {
    const { board, head, plain } = begin()
    const plainMs = timed(() => {
      for (const command of plain) board.add([command])
    })
    const late = other.sign(edit(7, 'Late'), [head])
    const lateMs = timed(() => board.add([late]))
    if (board.ledger.conflictIds('bench').length !== 1) throw new Error('It did not diverge.')
    board.close()
    return lateMs / plainMs
  })
  return median(ratios)
}
