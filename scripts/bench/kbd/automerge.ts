/**
 * Compares a board with an Automerge document for the same edits. The document has heads too, but its changes are not
 * signed.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import * as Automerge from '@automerge/automerge'
import { show } from '../harness/figures.ts'
import { chain, createDevice, edit, isSignedBy, openBoard, setup } from './board.ts'

/** Number of cards. */
const CARDS = 2_000
/** Commands per commit, as many as a busy service groups. */
const GROUP = 64

/** A type and not an interface, because Automerge requires an index signature. */
type Doc = { cards: { title: string }[] }

/** Speed of a board as a multiple of the speed of a document. */
export interface Faster {
  /** Creating, applying and storing the edits, 64 per commit. The board also signs and verifies them. */
  readonly append: number
  /** Opening again: a board from its file with a snapshot, a document from its saved bytes. */
  readonly open: number
}

/** Applies the same edits to both, and opens both again. */
export async function compareAutomerge(file: string, edits: number): Promise<Faster> {
  const changes = Array.from({ length: edits }, (_, n) => ({ card: n % CARDS, title: `Title ${n} of ten thousand` }))

  // One document creates the changes; the other applies and stores them, like a device and its service.
  let author = Automerge.from<Doc>({
    cards: Array.from({ length: CARDS }, (_, n) => ({ title: `Card ${n}` })),
  } as never)
  let doc = Automerge.clone(author)
  const log = openSync(`${file}.automerge`, 'a')
  let fromMs = performance.now()
  for (const [n, { card, title }] of changes.entries()) {
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
  if (loaded.cards[changes.at(-1)!.card]!.title !== changes.at(-1)!.title) throw new Error('It was not saved.')

  const device = createDevice()
  const board = openBoard(file)
  board.add(chain(device, setup(CARDS)))
  const [head] = board.ledger.standing('bench').frontier.heads
  fromMs = performance.now()
  let last = head
  for (let i = 0; i < changes.length; i += GROUP) {
    const group = chain(
      device,
      changes.slice(i, i + GROUP).map(({ card, title }) => edit(card, title)),
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

  show(`${edits} edits`, `${ours.toFixed(0)} ms`, `Automerge ${theirs.toFixed(0)} ms`)
  show('opening', `${ourOpening.toFixed(1)} ms`, `Automerge ${theirOpening.toFixed(1)} ms`)
  return { append: theirs / ours, open: theirOpening / ourOpening }
}
