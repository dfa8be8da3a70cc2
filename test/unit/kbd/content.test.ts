import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { failure } from '../../support/throws.ts'
import { drivers, type OpenDriver, openNode, proven, refusalOf, START_MS, uuidOf } from './boards.ts'

const [BOARD, COLUMN, CARD, COMMENT] = [1, 2, 3, 4].map(uuidOf) as [string, string, string, string]
const GRACE_MS = 24 * 3_600_000
/** The bytes that the smallest text takes in the store. */
const PAGE = 4_096
const text = (words: string): { bytes: Uint8Array; hash: string } => {
  const bytes = new TextEncoder().encode(words)
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

/**
 * A node with two projects, each with a board, a column and a card. `enter` runs a command of a device, `admit` one of
 * a peer.
 */
function withProjects(open: () => OpenDriver) {
  const { ledger } = openNode(open)
  const heads: Record<string, string> = {}
  const run = (how: 'enter' | 'admit', project: string, command: Command): void => {
    const parents = heads[project] === undefined ? [] : [heads[project]]
    heads[project] = ledger[how](proven(command, { project, parents }), START_MS)!.id
  }
  for (const project of ['demo', 'other']) {
    run('enter', project, { type: 'board.create', boardId: BOARD, title: 'B' })
    run('enter', project, { type: 'column.create', boardId: BOARD, columnId: COLUMN, title: 'C', rank: 'a' })
    run('enter', project, {
      type: 'card.create',
      boardId: BOARD,
      columnId: COLUMN,
      cardId: CARD,
      title: 'C',
      rank: 'a',
    })
  }
  return { content: ledger.content, run }
}

for (const [name, open] of Object.entries(drivers)) {
  test(`${name}: a redaction hides a text in every project until the text is put again`, () => {
    const { content, run } = withProjects(open)
    const said = text('said in two projects')
    content.put(said.hash, said.bytes, START_MS)
    run('enter', 'other', { type: 'card.update', cardId: CARD, bodyHash: said.hash })
    run('enter', 'demo', { type: 'comment.add', commentId: COMMENT, cardId: CARD, bodyHash: said.hash })
    assert.equal(content.get(said.hash), said.bytes)
    run('enter', 'demo', { type: 'comment.redact', commentId: COMMENT })
    assert.equal([content.get(said.hash), content.get(said.hash, 2)], [undefined, undefined])
    assert.equal(content.wanted(2, 'other', 10), [], 'a redacted text is not wanted')
    run('enter', 'other', { type: 'card.update', cardId: CARD, bodyHash: said.hash })
    assert.is(content.get(said.hash), undefined, 'naming the text again does not make it available')
    assert.is(content.put(said.hash, said.bytes, START_MS), true)
    assert.equal([content.get(said.hash), content.get(said.hash, 1)], [said.bytes, undefined])
  })

  test(`${name}: a peer reads under a project only texts that were put under it, or that the peer itself has put`, () => {
    const { content, run } = withProjects(open)
    const reader = (project: string, peer = 'eve') => ({ project, peer })
    const source = (project: string, peer = 'eve') => ({ projects: [project], peer: { name: peer, bytes: PAGE } })
    const secret = text('a text of the other project')
    content.put(secret.hash, secret.bytes, START_MS)
    run('enter', 'other', { type: 'card.update', cardId: CARD, bodyHash: secret.hash })
    assert.equal(content.getFor(secret.hash, 2, reader('other')), secret.bytes)

    // A command of the peer names the hash, which does not prove that the peer has the text.
    run('admit', 'demo', { type: 'card.update', cardId: CARD, bodyHash: secret.hash })
    assert.is(content.getFor(secret.hash, 1, reader('demo')), undefined)
    assert.equal(
      content.wanted(1, 'demo', 10),
      [secret.hash],
      'the text is wanted from the peer, as if it were missing',
    )
    assert.is(content.put(secret.hash, secret.bytes, START_MS, source('demo', 'bob')), true)
    assert.equal(content.getFor(secret.hash, 1, reader('demo')), secret.bytes)
    assert.equal(content.wanted(1, 'demo', 10), [])
    assert.is(content.put(secret.hash, secret.bytes, START_MS, source('demo')), false)

    // The answers to a peer, and its share, do not depend on other projects.
    const known = text('another text of the other project')
    content.put(known.hash, known.bytes, START_MS)
    run('enter', 'other', { type: 'comment.add', commentId: COMMENT, cardId: CARD, bodyHash: known.hash })
    const [fresh, more] = ['fresh', 'more'].map(text)
    for (let turn = 0; turn < 2; turn++)
      assert.is(content.put(known.hash, known.bytes, START_MS, source('demo', 'first')), true)
    for (const { hash, bytes } of [fresh!, more!])
      failure('content_full', () => content.put(hash, bytes, START_MS, source('demo', 'first')))
    assert.is(content.put(fresh!.hash, fresh!.bytes, START_MS, source('demo', 'second')), true)
    failure('content_full', () => content.put(known.hash, known.bytes, START_MS, source('demo', 'second')))
    // After the grace time the share of the peer is free again, and the text that another project names stays.
    assert.ok(content.sweep(START_MS + GRACE_MS, 10) > 0)
    assert.equal(content.get(known.hash), known.bytes)
    assert.ok(content.put(more!.hash, more!.bytes, START_MS, source('demo', 'first')))
    // A peer can read a text under another project too if the peer has put it.
    run('admit', 'demo', { type: 'card.update', cardId: CARD, bodyHash: more!.hash })
    assert.equal(content.getFor(more!.hash, 1, reader('demo', 'first')), more!.bytes)
  })
}

test('a text counts with the bytes that it takes in the store', () => {
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
