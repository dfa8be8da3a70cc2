/** The same edits as changes of an Automerge document, which has heads too, and proves no author. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import * as Automerge from '@automerge/automerge'
import { chain, createDevice, edit, isSignedBy, openBoard, setup } from './board.ts'

/** As many as the snapshot that is measured. */
const CARDS = 2_000
/** Commands to a commit, as many as a busy service groups. */
const GROUP = 64

/** A type and not an interface: Automerge wants to index it. */
type Doc = { cards: { title: string }[] }

/** How much faster a board is than a document, times. */
export interface Faster {
  /** To make, take and keep the edits, 64 to a commit: here signed and verified as well. */
  readonly append: number
  /** To have them again: here a file with its snapshot, there the saved document. */
  readonly open: number
}

/** Makes so many edits on both, and opens both again. */
export async function compareAutomerge(file: string, edits: number): Promise<Faster> {
  const made = Array.from({ length: edits }, (_, n) => ({ card: n % CARDS, title: `Title ${n} of ten thousand` }))

  // One who makes the changes and one who takes and keeps them, as a device and its service do.
  let author = Automerge.from<Doc>({
    cards: Array.from({ length: CARDS }, (_, n) => ({ title: `Card ${n}` })),
  } as never)
  let doc = Automerge.clone(author)
  const log = openSync(`${file}.automerge`, 'a')
  let fromMs = performance.now()
  for (const [n, { card, title }] of made.entries()) {
    author = Automerge.change(author, (draft) => {
      draft.cards[card]!.title = title
    })
    ;[doc] = Automerge.applyChanges(doc, [Automerge.getLastLocalChange(author)!])
    if ((n + 1) % GROUP === 0 || n + 1 === edits) {
      writeSync(log, Automerge.saveIncremental(doc))
      fdatasyncSync(log)
    }
  }
  const theirs = performance.now() - fromMs
  closeSync(log)
  const saved = Automerge.save(doc)
  fromMs = performance.now()
  const loaded = Automerge.load<Doc>(saved)
  const theirOpening = performance.now() - fromMs
  if (loaded.cards[made.at(-1)!.card]!.title !== made.at(-1)!.title) throw new Error('It was not saved.')

  const device = createDevice()
  const board = openBoard(file)
  board.add(chain(device, setup(CARDS)))
  const [head] = board.ledger.standing('bench').frontier.heads
  fromMs = performance.now()
  let last = head
  for (let i = 0; i < made.length; i += GROUP) {
    const group = chain(
      device,
      made.slice(i, i + GROUP).map(({ card, title }) => edit(card, title)),
      last,
    )
    if (!group.every((command) => isSignedBy(device, command))) throw new Error('not valid')
    board.add(group)
    last = group.at(-1)!.id
  }
  const ours = performance.now() - fromMs
  board.close()
  fromMs = performance.now()
  const again = openBoard(file)
  const { revision } = again.ledger.snapshot('bench')
  const ourOpening = performance.now() - fromMs
  again.close()
  if (revision !== edits + CARDS + 2) throw new Error('It was not kept.')

  console.log(`${`${edits} edits`.padEnd(34)} ${ours.toFixed(0)} ms, Automerge ${theirs.toFixed(0)} ms`)
  console.log(`${'opening'.padEnd(34)} ${ourOpening.toFixed(1)} ms, Automerge ${theirOpening.toFixed(1)} ms`)
  return { append: theirs / ours, open: theirOpening / ourOpening }
}
