import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { drivers, openNode, proven, refusalOf, START_MS, uuidOf } from './boards.ts'

const [BOARD, COLUMN, CARD, COMMENT] = [1, 2, 3, 4].map(uuidOf) as [string, string, string, string]
const GRACE_MS = 24 * 3_600_000
/** What the smallest text takes. */
const PAGE = 4_096
const text = (words: string): { bytes: Uint8Array; hash: string } => {
  const bytes = new TextEncoder().encode(words)
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

for (const [name, open] of Object.entries(drivers)) {
  test(`${name}: texts are kept while something shows them, and hidden at once by redaction`, () => {
    const { ledger } = openNode(open, { unnamedContentBytes: 2 * PAGE, maxContentBytes: 12 })
    const { content } = ledger
    let head: string[] = []
    const enter = (command: Command): void => {
      head = [ledger.enter(proven(command, { parents: head }), START_MS).id]
    }
    enter({ type: 'board.create', boardId: BOARD, title: 'B' })
    enter({ type: 'column.create', boardId: BOARD, columnId: COLUMN, title: 'C', rank: 'a' })
    enter({ type: 'card.create', boardId: BOARD, columnId: COLUMN, cardId: CARD, title: 'C', rank: 'a' })
    const [body, said, spare, more] = ['a body', 'words', 'spare', 'more of it'].map(text)
    assert.is(
      refusalOf(() => content.put(body!.hash, said!.bytes, START_MS)),
      'content_mismatch',
    )
    const long = text('x'.repeat(13))
    assert.is(
      refusalOf(() => content.put(long.hash, long.bytes, START_MS)),
      'payload_too_large',
    )

    assert.equal(
      [content.put(body!.hash, body!.bytes, START_MS), content.put(body!.hash, body!.bytes, START_MS)],
      [true, false],
    )
    assert.equal(content.get(body!.hash), body!.bytes)
    assert.is(content.get(body!.hash, 1), undefined, 'no command of the project names it')
    enter({ type: 'card.update', cardId: CARD, bodyHash: body!.hash })
    enter({ type: 'comment.add', commentId: COMMENT, cardId: CARD, bodyHash: said!.hash })
    assert.equal(content.wanted(1, 10), [said!.hash])
    content.put(said!.hash, said!.bytes, START_MS)
    assert.equal(
      [content.wanted(1, 10), content.isNamed(said!.hash, 1), content.isNamed(said!.hash, 2)],
      [[], true, false],
    )

    // What is named does not count against what waits.
    content.put(spare!.hash, spare!.bytes, START_MS)
    content.put(more!.hash, more!.bytes, START_MS)
    const last = text('123456')
    assert.is(
      refusalOf(() => content.put(last.hash, last.bytes, START_MS)),
      'content_full',
    )
    assert.is(content.sweep(START_MS + GRACE_MS - 1, 10), 0)
    assert.is(content.sweep(START_MS + GRACE_MS, 10), 2)
    assert.is(content.get(spare!.hash), undefined)
    assert.equal(content.get(body!.hash), body!.bytes)
    const peer = { name: 'a peer', bytes: PAGE - 1 }
    assert.is(
      refusalOf(() => content.put(last.hash, last.bytes, START_MS, peer)),
      'content_full',
    )
    assert.ok(content.put(spare!.hash, spare!.bytes, START_MS, { ...peer, bytes: PAGE }))

    // The card was given another body: commands still name the first one.
    enter({ type: 'card.update', cardId: CARD, bodyHash: null })
    assert.equal(content.get(body!.hash, 1), body!.bytes)
    enter({ type: 'comment.redact', commentId: COMMENT })
    assert.is(content.get(said!.hash), undefined)
    assert.is(ledger.card('demo', CARD).comments[0]!.bodyHash, null)
    assert.is(content.put(said!.hash, said!.bytes, START_MS), false, 'still here, for the grace')
    assert.is(content.sweep(START_MS + GRACE_MS, 10), 2)
    assert.equal(content.wanted(1, 10), [], 'what is hidden is not asked for')
    // A card that shows the same words brings them back.
    enter({ type: 'card.update', cardId: CARD, bodyHash: said!.hash })
    assert.equal(content.wanted(1, 10), [said!.hash])
    content.put(said!.hash, said!.bytes, START_MS)
    assert.equal(content.get(said!.hash), said!.bytes)
  })
}

test('a text counts as what it takes in the store', () => {
  for (const [size, pages] of [
    [1, 1],
    [2_847, 1],
    [2_848, 2],
    [9_000, 4],
  ] as const) {
    const words = text('x'.repeat(size))
    const put = (unnamedContentBytes: number): string =>
      refusalOf(() =>
        openNode(drivers['node:sqlite']!, { unnamedContentBytes }).ledger.content.put(
          words.hash,
          words.bytes,
          START_MS,
        ),
      )
    assert.equal([put(pages * PAGE - 1), put(pages * PAGE)], ['content_full', 'taken'], `${size}`)
  }
})

test.run()
