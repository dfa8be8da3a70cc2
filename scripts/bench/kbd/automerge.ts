/** The same edits as changes of an Automerge document, which has heads too, and proves no author. */
import * as Automerge from '@automerge/automerge'
import { chain, createDevice, edit, isSignedBy, openBoard, setup } from './board.ts'

const CARDS = 200
/** Commands to a commit, as many as a busy service groups. */
const GROUP = 64

/** A type and not an interface: Automerge wants to index it. */
type Doc = { cards: { title: string }[] }

/** How much faster a board is than a document, times. */
export interface Faster {
  /** To take the edits: here signed, verified and on disk, there in memory. */
  readonly append: number
  /** To have them again: here a file with its snapshot, there the saved document. */
  readonly open: number
}

/** Makes so many edits on both, and opens both again. */
export async function compareAutomerge(file: string, edits: number): Promise<Faster> {
  const made = Array.from({ length: edits }, (_, n) => ({ card: n % CARDS, title: `Title ${n} of ten thousand` }))

  let fromMs = performance.now()
  let doc = Automerge.from<Doc>({ cards: Array.from({ length: CARDS }, (_, n) => ({ title: `Card ${n}` })) } as never)
  for (const { card, title } of made) {
    doc = Automerge.change(doc, (draft) => {
      draft.cards[card]!.title = title
    })
  }
  const theirs = performance.now() - fromMs
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
