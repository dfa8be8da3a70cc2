/** The ledger alone, in memory: each figure is a ratio of two things that were measured in turn. */

import { join } from 'node:path'
import { search } from '../../../plugins/kbd/search/search.ts'
import { createSearchIndex } from '../../../plugins/kbd/search/search-index.ts'
import { median } from '../statistics.ts'
import { type Board, chain, codecs, createDevice, edit, openBoard, type SignedCommand, setup } from './board.ts'

const ROUNDS = 60
const WARM_UP = 10
/** Commands that are measured together: more than one, so that what only some of them cost is in it. */
const STRIDE = 20

/** Milliseconds that work takes. */
function timed(work: () => unknown): number {
  const fromMs = performance.now()
  work()
  return performance.now() - fromMs
}

/** The median of the ratios of two things that are done in turn. */
function compare(one: () => unknown, other: () => unknown): number {
  const ratios = Array.from({ length: ROUNDS }, () => timed(one) / timed(other))
  return median(ratios.slice(WARM_UP))
}

/**
 * What the last 1 000 of so many commands on one board cost, over what the second 1 000 cost: the same commands on two
 * boards, of which one has got that far, in turn. Each is looked for first and answered, as at the entry point. The boards are files, as
 * the service has them, for a database in memory keeps a journal that grows with it; nobody waits for the disk.
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
    // Each is the first as often as the other: what the one leaves in the caches is not the other's.
    if (n % 2 === 0) return timed(late.next) / timed(early.next)
    const earlyMs = timed(early.next)
    return timed(late.next) / earlyMs
  })
  late.board.close()
  early.board.close()
  return median(ratios)
}

/** What it takes to open a graph of so many commands in a file and to read its project, over one of a hundredth of them. */
export function measureOpening(folder: string, total: number): number {
  const [small, large] = [total / 100, total].map((count) => fill(join(folder, `graph-${count}.db`), count))
  const open = (file: string) => (): void => {
    const board = openBoard(file)
    if (board.ledger.snapshotText('bench') === '') throw new Error('nothing')
    board.close()
  }
  return compare(open(large!), open(small!))
}

/** Cards of the graph that is opened. */
const CARDS = 100

/** Writes so many commands to a file, more than its cards take: the cards, then edits of them. */
function fill(file: string, count: number): string {
  const device = createDevice()
  const board = openBoard(file)
  let made = chain(device, setup(CARDS))
  board.add(made)
  for (let n = made.length; n < count; n += made.length) {
    const edits = Array.from({ length: Math.min(1_000, count - n) }, (_, i) => edit((n + i) % CARDS, `Title ${n + i}`))
    made = chain(device, edits, made.at(-1)!.id)
    board.add(made)
  }
  const { revision } = board.ledger.standing('bench')
  if (revision !== count) throw new Error(`${revision} commands`)
  board.close()
  return file
}

/** A snapshot of so many cards over `JSON.stringify` of the same state. */
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

/** A search over so many cards over the query that FTS5 is asked at least. */
export function measureSearch(cards: number): number {
  const board = openBoard(':memory:')
  const index = createSearchIndex(board.driver, codecs)
  index.open()
  board.add(chain(createDevice(), setup(cards)))
  // The commands came without it; opened again it takes up all of them.
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

/** One command whose parents lie `depth` commands behind, over so many plain ones. */
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
