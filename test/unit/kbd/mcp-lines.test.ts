/** The lines of `svc mcp`: a malformed or too long line gets an error, and the next line is read normally. */
import { PassThrough } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Project } from '../../../plugins/kbd/api.ts'
import type { BoardFinder } from '../../../plugins/kbd/cli/api.ts'
import { cardsOf, columnsOf } from '../../../plugins/kbd/cli/find.ts'
import { checkInput } from '../../../plugins/kbd/mcp/check-input.ts'
import { LineTransport, MAX_LINE_BYTES } from '../../../plugins/kbd/mcp/line-transport.ts'
import { createRoom, cut, PAGE_CHARS, pageOf } from '../../../plugins/kbd/mcp/pages.ts'
import { tools } from '../../../plugins/kbd/mcp/tools.ts'
import { showBoard } from '../../../plugins/kbd/mcp/views.ts'
import { START_MS, uuidOf } from './boards.ts'

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' } as const

/** A transport on streams in memory. */
async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = new LineTransport(input, output)
  const received: unknown[] = []
  transport.onmessage = (message) => void received.push(message)
  await transport.start()
  const sentMessages = (): readonly Record<string, unknown>[] =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  /** Writes chunks, and waits until they are read. */
  const write = async (...chunks: readonly (string | Uint8Array)[]): Promise<void> => {
    for (const chunk of chunks) await new Promise((done) => input.write(chunk, done))
    await new Promise((done) => setImmediate(done))
  }
  return { transport, heard: received, said: sentMessages, write, output }
}

test('a line that is not JSON or not a message gets an error, with the id if it is readable', async () => {
  const { heard: received, said: sentMessages, write } = await open()
  await write('{"jsonrpc":"2.0",\n', 'true\n', '{"jsonrpc":"1.0","id":3,"method":"ping"}\n', '[]\n')
  await write('{"jsonrpc":"2.0","id":{},"method":"ping"}\r\n', '\n', '  \n')
  assert.equal(
    sentMessages().map(({ jsonrpc, id, error }) => [jsonrpc, id, (error as { code: number }).code]),
    [
      ['2.0', null, -32_700],
      ['2.0', null, -32_600],
      ['2.0', 3, -32_600],
      ['2.0', null, -32_600],
      ['2.0', null, -32_600],
    ],
  )
  assert.equal(received, [])
  const line = JSON.stringify(PING)
  await write(line.slice(0, 9), line.slice(9), `\n${line}\n`)
  assert.equal(received, [PING, PING])
  assert.equal(sentMessages(), [])
})

test('a too long line is refused once and not stored, and the next line is read', async () => {
  const { heard: received, said: sentMessages, write } = await open()
  const piece = Buffer.alloc(65_536, 0x61)
  for (let bytes = 0; bytes <= 2 * MAX_LINE_BYTES; bytes += piece.length) await write(piece)
  assert.equal(sentMessages(), [], 'no refusal before the end of the line')
  await write(`\n${JSON.stringify(PING)}\n`)
  const [refusal, ...more] = sentMessages()
  assert.equal([(refusal!['error'] as { code: number }).code, more.length], [-32_600, 0])
  assert.equal(received, [PING])
})

test('a too long line is refused with the id of its request, wherever clients write it', async () => {
  const { said: sentMessages, write } = await open()
  const long = 'x'.repeat(MAX_LINE_BYTES)
  const inner = { text: long, id: 5 }
  const lines = [
    { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { id: 3, text: long } },
    { method: 'tools/call', params: inner, jsonrpc: '2.0', id: 'an id' },
    { jsonrpc: '2.0', method: 'notifications/x', params: inner },
    { jsonrpc: '2.0', method: 'notifications/x', params: { text: `${long},"id":5}` } },
  ]
  for (const line of lines) await write(`${JSON.stringify(line)}\n`)
  assert.equal(
    sentMessages().map(({ id }) => id),
    [7, 'an id', null, null],
  )
})

test('a line that is not UTF-8 is refused with its id', async () => {
  const { heard: received, said: sentMessages, write } = await open()
  await write(Buffer.from('{"jsonrpc":"2.0","id":4,"method":"ping","params":{"a":"\xff"}}\n', 'latin1'))
  assert.equal(
    sentMessages().map(({ id, error }) => [id, (error as { code: number }).code]),
    [[4, -32_700]],
  )
  assert.equal(received, [])
})

test('sent lines contain no control characters and no characters that change the text direction', async () => {
  const { transport, output } = await open()
  await transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'a\u009b31mb\u202ec\u2066d' } })
  const line = String(output.read())
  assert.match(line, /a\\u009b31mb\\u202ec\\u2066d/)
  assert.not.match(line, /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
})

test('lengths of inputs are counted in bytes, and named', () => {
  const schemaOf = (name: string) => tools.find((tool) => tool.name === name)!.inputSchema
  const create = schemaOf('card_create')
  assert.is(checkInput({ title: 'é'.repeat(512) }, create), undefined)
  assert.is(
    checkInput({ title: 'é'.repeat(1_000) }, create),
    '`title` must be a text of 1 to 1024 bytes of UTF-8; this has 2000.',
  )
  assert.match(create.properties!['title']!.description!, /1 to 1024 bytes of UTF-8/)
  const edit = schemaOf('card_edit')
  assert.is(checkInput({ card: 'x', priority: null, body: null }, edit), undefined)
  assert.is(checkInput({ card: 'x', priority: 5 }, edit), '`priority` must be an integer from 0 to 4, or null.')
})

test('a page ends when it is full, and the next page continues after the cursor', () => {
  const all = Array.from({ length: 10 }, (_, n) => ({ id: `${n}`, text: 'x'.repeat(PAGE_CHARS / 3) }))
  const found: string[] = []
  let pages = 0
  for (let cursor: string | undefined; ; pages++) {
    const { items, nextCursor } = pageOf(all, cursor, ({ id }) => id)
    found.push(...items.map(({ id }) => id))
    if (nextCursor === null) break
    cursor = nextCursor
  }
  assert.equal([found, pages], [all.map(({ id }) => id), 4])
  assert.throws(() => pageOf(all, 'gone', ({ id }) => id), /begin without it/)
  const room = createRoom()
  assert.equal([room.takes('x'.repeat(2 * PAGE_CHARS)), room.takes('y')], [true, false])
  assert.is(cut('short'), 'short')
  assert.match(cut('x'.repeat(100_000)), /… \(cut: the text has 100000 characters\)$/)
})

test('a large board is shown in pages, each card once, in its column and in order', () => {
  const [boardId, todo, done] = [1, 2, 3].map(uuidOf) as [string, string, string]
  const column = (columnId: string, rank: string) => ({
    columnId,
    boardId,
    title: 'C',
    rank,
    wipLimit: null,
    archived: false,
  })
  const cards = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => {
      const place = { boardId, columnId: n % 2 === 0 ? todo : done, rank: `m${String(n).padStart(4, '0')}m` }
      const card = {
        cardId: uuidOf(1_000 + n),
        title: 'x'.repeat(1_000),
        place,
        labels: [],
        claim: null,
        archived: false,
      }
      return [card.cardId, card]
    }),
  )
  const project = {
    boards: { [boardId]: { boardId, title: 'B', archived: false } },
    columns: { [todo]: column(todo, 'a'), [done]: column(done, 'b') },
    cards,
    claims: {},
    conflicts: {},
  } as unknown as Project
  const from = { find: { columns: columnsOf, cards: cardsOf } as BoardFinder, nowMs: START_MS, keyId: 'k' }
  const found: string[] = []
  let pages = 0
  for (let cursor: string | undefined; ; ) {
    const { board, nextCursor } = showBoard(project, boardId, from, cursor) as unknown as {
      board: { columns: { columnId: string; cards: { cardId: string }[] }[] }
      nextCursor: string | null
    }
    pages++
    assert.ok(JSON.stringify(board).length < 1.1 * PAGE_CHARS)
    for (const { columnId, cards: shown } of board.columns)
      found.push(...shown.map(({ cardId }) => `${columnId} ${cardId}`))
    if (nextCursor === null) break
    cursor = nextCursor
  }
  const expected = [todo, done].flatMap((id) => cardsOf(project, id).map(({ cardId }) => `${id} ${cardId}`))
  assert.equal(found, expected)
  assert.ok(pages >= 4, `${pages}`)
  assert.throws(() => showBoard(project, boardId, from, `${uuidOf(7)}/`), /begin without it/)
})

test.run()
