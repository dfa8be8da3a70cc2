import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { createAuditChain } from '../../../plugins/kbd/engine/audit/audit-chain.ts'
import { createKbdLedger, type KbdLedger } from '../../../plugins/kbd/engine/ledger.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/limits.ts'
import { BOARD_SCHEMA as tables } from '../../../plugins/kbd/engine/migrations.ts'
import type { SearchQuery } from '../../../plugins/kbd/search/query.ts'
import { createSearch, search } from '../../../plugins/kbd/search/search.ts'
import { createSearchIndex, type SearchIndex } from '../../../plugins/kbd/search/search-index.ts'
import { snippetOf, wordsOf } from '../../../plugins/kbd/search/snippet.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { countOf } from '../../support/count.ts'
import { ownTimeMs } from '../../support/process-time.ts'
import { codecs, drivers, type OpenDriver, proven, START_MS, uuidOf } from './boards.ts'
import { type Step, tell } from './story.ts'

const RUNS = countOf({ quick: 80, deep: 300, variable: 'SVC_FUZZ_RUNS' })

/** No command is older than its parents. */
const LATER_MS = START_MS + 1_000_000

/** Boards with a search index. */
interface Searched {
  readonly driver: OpenDriver
  readonly ledger: KbdLedger
  readonly index: SearchIndex
  enter(command: Command, project?: string): void
  /** Stores a text as a request does, and returns the hash of the text. */
  put(text: string | Uint8Array): string
  find(text: string, over?: Partial<SearchQuery>): ReturnType<typeof search>['results']
}

function open({ indexed = true } = {}): Searched {
  const driver = drivers['node:sqlite']!()
  driver.exec(tables)
  const index = createSearchIndex(driver, codecs)
  const ledger: KbdLedger = createKbdLedger({
    driver,
    codecs,
    limits: defaultLimits,
    audit: createAuditChain({ driver, ...codecs }),
    onApplied: (applied) => indexed && index.applied(applied),
  })
  if (indexed) index.open()
  return {
    driver,
    ledger,
    index,
    enter(command, project = 'demo') {
      const { heads } = ledger.standing(project).frontier
      ledger.enter(proven(command, { project, parents: heads, issuedAtMs: LATER_MS }), LATER_MS)
    },
    put(text) {
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
      const hash = createHash('sha256').update(bytes).digest('hex')
      if (ledger.content.put(hash, bytes, START_MS) && indexed) index.arrived(hash)
      return hash
    },
    find: (text, over) =>
      search(driver, ledger, { text, project: undefined, kind: undefined, limit: 100, ...over }).results,
  }
}

const [boardId, columnId, cardId, commentId] = [1, 2, 3, 4].map(uuidOf) as [string, string, string, string]
const place = { boardId, columnId, rank: 'a' }

/** Creates a board with one card. */
function begun(project = 'demo'): Searched {
  const boards = open()
  boards.enter({ type: 'board.create', boardId, title: 'Kitchen garden' }, project)
  boards.enter({ type: 'column.create', boardId, columnId, title: 'Sowing', rank: 'a' }, project)
  boards.enter({ type: 'card.create', cardId, ...place, title: 'Round carrots, early' }, project)
  return boards
}
const idsOf = (results: readonly { readonly kind: string; readonly id: string }[]): string[] =>
  results.map(({ kind, id }) => `${kind} ${id}`).sort()

test('a start with a complete index writes nothing, and secure deletion is switched on again', () => {
  const { driver } = begun()
  const changes = (): unknown => driver.prepare('SELECT total_changes()').get()
  assert.equal(driver.prepare("SELECT v FROM search_words_config WHERE k = 'secure-delete'").get(), [1])
  const before = changes()
  createSearchIndex(driver, codecs).open()
  assert.equal(changes(), before)
  driver.exec("INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 0)")
  createSearchIndex(driver, codecs).open()
  assert.equal(driver.prepare("SELECT v FROM search_words_config WHERE k = 'secure-delete'").get(), [1])
})

test('titles, labels and texts are found, by all words of a search', () => {
  const { enter, put, find, ledger, driver } = begun()
  enter({ type: 'label.add', cardId, name: 'raised-bed' })
  enter({ type: 'card.update', cardId, bodyHash: put('Thin them to a hand’s breadth. Über alles Größe!') })
  enter({ type: 'comment.add', commentId, cardId, bodyHash: put('The fleece is in the shed.') })
  assert.equal(idsOf(find('kitchen')), [`board ${boardId}`])
  assert.equal(idsOf(find('SOWING')), [`column ${columnId}`])
  for (const text of ['carrots', 'early round', 'raised', 'bed raised', 'thin CARROTS', 'grosse uber'.slice(7)])
    assert.equal(idsOf(find(text)), [`card ${cardId}`], text)
  assert.equal(find('carrots shed'), [], 'words of two items do not match either item')
  const [found, ...others] = find('fleece')
  assert.equal(others, [])
  assert.equal(
    { ...found, score: 0 },
    {
      kind: 'comment',
      id: commentId,
      project: 'demo',
      title: 'Round carrots, early',
      snippet: 'The fleece is in the shed.',
      score: 0,
    },
  )
  assert.ok(found!.score > 0)
  assert.is(find('raised')[0]!.title, 'Round carrots, early', 'labels are not part of the title')
  enter({ type: 'card.archive', cardId })
  assert.equal(idsOf(find('carrots')), [`card ${cardId}`], 'an archived card is found')
  enter({ type: 'label.remove', cardId, name: 'raised-bed' })
  assert.equal(find('raised'), [])
  enter({ type: 'card.update', cardId, title: 'Beetroot' })
  assert.equal([idsOf(find('carrots')), idsOf(find('beetroot'))], [[], [`card ${cardId}`]])
  const { frontier } = search(driver, ledger, { text: 'x', project: 'demo', kind: undefined, limit: 1 })
  assert.equal(frontier, ledger.standing('demo').frontier)
  assert.is(search(driver, ledger, { text: 'x', project: undefined, kind: undefined, limit: 1 }).frontier, null)
  driver.close()
})

test('a project, a kind and a limit narrow the results; the best comes first, equal ones by id', () => {
  const { enter, find, driver } = begun()
  enter({ type: 'board.create', boardId: uuidOf(50), title: 'Kitchen garden' }, 'other')
  for (let n = 9; n > 0; n--) enter({ type: 'card.create', cardId: uuidOf(100 + n), ...place, title: 'kitchen sink' })
  assert.is(find('kitchen').length, 11)
  assert.equal(idsOf(find('kitchen', { project: 'other' })), [`board ${uuidOf(50)}`])
  assert.equal(idsOf(find('kitchen', { kind: 'board' })), [`board ${boardId}`, `board ${uuidOf(50)}`])
  assert.equal(find('kitchen', { project: 'none' }), [])
  const cards = find('kitchen', { kind: 'card', limit: 4 })
  assert.equal(
    cards.map(({ id }) => id),
    [101, 102, 103, 104].map(uuidOf),
  )
  enter({ type: 'card.create', cardId: uuidOf(200), ...place, title: 'kitchen kitchen kitchen' })
  assert.is(find('kitchen', { kind: 'card', limit: 1 })[0]!.id, uuidOf(200))
  const scores = find('kitchen').map(({ score }) => score)
  assert.equal(
    scores,
    [...scores].sort((one, other) => other - one),
  )
  driver.close()
})

test('a text is found once it has arrived, before or after its command; a text that is not UTF-8 is never found', () => {
  const { enter, put, find, driver } = begun()
  const later = createHash('sha256').update('turnips').digest('hex')
  enter({ type: 'card.update', cardId, bodyHash: later })
  assert.equal(find('turnips'), [])
  put('turnips')
  assert.equal(idsOf(find('turnips carrots')), [`card ${cardId}`])
  enter({ type: 'comment.add', commentId, cardId, bodyHash: put(Uint8Array.from([0x72, 0x61, 0xff, 0x20, 0x72])) })
  assert.equal([find('ra'), find('r')], [[], []])
  enter({ type: 'card.update', cardId, bodyHash: null })
  assert.equal([find('turnips').length, find('carrots').length], [0, 1])
  driver.close()
})

test('a redacted comment is not found, and nothing of it stays in the index', () => {
  const { enter, put, find, driver } = begun()
  enter({ type: 'comment.add', commentId, cardId, bodyHash: put('the passphrase is xylophone') })
  assert.is(find('xylophone').length, 1)
  const kept = (): boolean =>
    ['search_words_data', 'search_words_content'].some((table) =>
      driver
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .some((row) =>
          row.some((value) =>
            Buffer.from(typeof value === 'object' && value !== null ? (value as Uint8Array) : String(value)).includes(
              'xylophone',
            ),
          ),
        ),
    )
  assert.ok(kept(), 'the check of the tables finds the word')
  enter({ type: 'comment.redact', commentId })
  assert.equal([find('xylophone'), kept()], [[], false])
  put('the passphrase is xylophone ')
  assert.equal(find('xylophone'), [])
  driver.close()
})

test('the effects of a command that was rolled back are not found', () => {
  const { driver, ledger, index, find, put } = begun()
  driver.exec('BEGIN')
  const { heads } = ledger.standing('demo').frontier
  const hash = put('parsnip')
  const draft = { parents: heads, issuedAtMs: LATER_MS }
  ledger.enter(proven({ type: 'card.update', cardId, title: 'Leek', bodyHash: hash }, draft), LATER_MS)
  assert.is(find('leek parsnip').length, 1)
  driver.exec('ROLLBACK')
  assert.equal([find('leek').length, find('parsnip').length, find('carrots').length], [0, 0, 1])
  index.open()
  assert.is(find('carrots').length, 1)
  driver.close()
})

test('an index that is opened later equals an index that followed every command', () => {
  const step: fc.Arbitrary<Step> = fc.tuple(
    fc.nat({ max: 8 * 31 - 1 }),
    fc.nat({ max: 1 }),
    fc.nat({ max: 4 }),
    fc.nat({ max: 4_095 }),
    fc.nat({ max: 4_095 }),
  )
  const rowsOf = (driver: OpenDriver): unknown =>
    driver
      .prepare(
        `SELECT p, kind, id, r.title, hash, filled, w.title, w.body FROM search_rows r
         JOIN search_words w ON w.rowid = r.n ORDER BY p, kind, id`,
      )
      .all()
  let run = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat({ max: 60 }), (steps, at) => {
      run += 1
      const [followed, late] = [open(), open({ indexed: false })]
      const clock = { nowMs: START_MS }
      const nodes = [followed, late].map(({ driver, ledger }) => ({ driver, ledger, audit: null!, applied: [], clock }))
      tell(nodes, { project: 'demo', run }, steps)
      for (const from of [0, 1]) {
        const { commands } = nodes[from]!.ledger.commands('demo', undefined, 1_000)!
        for (const { id, envelope } of commands)
          nodes[1 - from]!.ledger.admit({ id, project: 'demo', envelope, text: JSON.stringify(envelope) }, START_MS * 2)
      }
      late.index.open()
      while (late.index.fill());
      assert.equal(rowsOf(late.driver), rowsOf(followed.driver))
      // Once more, with a text that arrives after its comment.
      const hash = createHash('sha256').update(`${at}`).digest('hex')
      for (const boards of [followed, late]) {
        boards.enter({ type: 'comment.add', commentId: uuidOf(9), cardId: uuidOf(0x3000), bodyHash: hash })
        boards.index.open()
        boards.put(`${at}`)
        while (boards.index.fill());
      }
      assert.equal(rowsOf(late.driver), rowsOf(followed.driver))
      assert.ok(late.find(`${at}`, { kind: 'comment' }).some(({ id }) => id === uuidOf(9)))
      followed.driver.close()
      late.driver.close()
    }),
    { numRuns: Math.ceil(RUNS / 10), seed: 12 },
  )
})

test('search terms are never read as query syntax', () => {
  const { enter, put, find, driver } = begun()
  enter({
    type: 'comment.add',
    commentId,
    cardId,
    bodyHash: put('and or not near title body carrots "quoted" a*b {x} ^z'),
  })
  const piece = fc.oneof(
    fc.constantFrom('"', '""', '*', '(', ')', ':', '^', '+', '-', '{', '}', ',', ' ', '\0', '́', '\\', "'", ';', '--'),
    fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      'NEAR',
      'NEAR(a b, 2)',
      'title:',
      'body : x',
      'carrots',
      'search_words',
      '漢字',
      '\u{1f955}',
    ),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const found = find(text)
      assert.ok(found.length <= 4)
      // Every word must occur in a result, so additional words never add results.
      assert.ok(find(`${text} carrots`).every(({ id }) => id === cardId || id === commentId))
      assert.equal(find(`${text} zzyzx`), [])
      if (wordsOf(text).length === 0) assert.equal(found, [])
    }),
    { numRuns: RUNS, seed: 12 },
  )
  for (const word of ['and', 'OR', 'Not', 'NEAR', 'title', '"quoted"', 'title:body', 'a*', '{x}', '^z'])
    assert.equal(idsOf(find(word)), [`comment ${commentId}`], word)
  for (const text of ['', ' ', '"', '*', '()', '\u{1f955}', '-- ;']) assert.equal(find(text), [], text)
  const many = Array.from({ length: 512 }, (_, n) => String.fromCodePoint(0x4e00 + (n % 340))).join(' ')
  assert.equal(find(many.slice(0, 680)), [])
  driver.close()
})

test('all of many words must occur, and the first words determine the rank', () => {
  const { enter, find, driver } = begun()
  const words = Array.from({ length: 40 }, (_, n) => `w${n}`)
  const add = (n: number, text: string): void =>
    enter({ type: 'card.create', cardId: uuidOf(300 + n), ...place, title: text })
  add(1, words.join(' '))
  add(2, `${words.join(' ')} w0 w0 w0`)
  add(3, words.slice(0, 39).join(' '))
  for (const count of [1, 8, 9, 39])
    assert.equal(idsOf(find(words.slice(0, count).join(' '))).length, 3, `${count} words`)
  assert.equal(
    idsOf(find(words.join(' '))),
    [301, 302].map((n) => `card ${uuidOf(n)}`),
  )
  assert.equal(find(`${words.join(' ')} carrots`), [])
  assert.equal(find(words.join(' '), { project: 'demo', kind: 'card', limit: 1 }).length, 1)
  driver.close()
})

test('a search for many words runs in slices, and gives the same results', () => {
  const { enter, find, driver, ledger } = begun()
  const words = Array.from({ length: 300 }, (_, n) => (36 + n).toString(36))
  for (let n = 0; n < 120; n++)
    enter({
      type: 'card.create',
      cardId: uuidOf(300 + n),
      ...place,
      title: words.slice(0, n < 60 ? 300 : 299).join(' '),
    })
  const query: SearchQuery = { text: words.join(' '), project: 'demo', kind: undefined, limit: 100 }
  const next = createSearch(query)
  let slices = 1
  let answer = next(driver, ledger)
  for (; answer === undefined; slices++) answer = next(driver, ledger)
  assert.is(answer.results.length, 60)
  assert.equal(answer.results, find(query.text))
  assert.ok(slices > 1, `${slices}`)
  driver.close()
})

test('a text that repeats one word is found as fast as any other text', () => {
  const { enter, put, find, driver } = begun()
  enter({ type: 'card.update', cardId, bodyHash: put('again '.repeat(40_000)) })
  const fromMs = ownTimeMs()
  const [found] = find('again')
  assert.equal([found!.id, found!.snippet], [cardId, `${'again '.repeat(16).trim()}…`])
  // If the cost grew with the square of 40 000, the search would take a minute.
  assert.ok(ownTimeMs() - fromMs < 5_000)
  driver.close()
})

test('a snippet shows the words around the first match', () => {
  const show = (text: string, ...words: string[]): string => snippetOf(['Title', text], new Set(words))
  const numbers = Array.from({ length: 40 }, (_, n) => `n${n}`)
  assert.is(show('– Über alles: Größe!', 'uber'), '– Über alles: Größe!')
  assert.is(show(numbers.join(', '), 'n20'), `…${numbers.slice(16, 32).join(', ')}…`)
  assert.is(show(numbers.join(', '), 'n3'), `${numbers.slice(0, 16).join(', ')}…`)
  assert.is(show(`(${numbers.join(', ')})`, 'n39'), `…${numbers.slice(35).join(', ')})`)
  assert.is(show('nothing of it', 'word'), 'Title')
  assert.equal([snippetOf(['', ''], new Set()), snippetOf(['…'], new Set())], ['', '…'])
})

test('a text of very many cards is indexed in steps, and only the beginning of a long text is searched', () => {
  const { enter, put, find, driver, index } = begun()
  const hash = createHash('sha256').update('rhubarb').digest('hex')
  for (let n = 0; n < 30; n++)
    enter({ type: 'card.create', cardId: uuidOf(300 + n), ...place, title: `Card ${n}`, bodyHash: hash })
  put('rhubarb')
  const found: number[] = [find('rhubarb').length]
  while (index.fill()) found.push(find('rhubarb').length)
  assert.equal([found[0], found.at(-1), find('rhubarb').length], [4, 28, 30])
  enter({ type: 'card.update', cardId, bodyHash: put(`first ${'é'.repeat(8_190)} middle`) })
  assert.equal([find('first').length, find('middle').length], [1, 0])
  driver.close()
})

test('titles of one transaction are written together, and titles of an undone change stay as they were', () => {
  const { enter, driver, index, find } = begun()
  const later = new Set<() => void>()
  const held = createSearchIndex(driver, codecs)
  const note = (title: string, n: number): void => {
    const json = JSON.stringify({ title, archived: false, labels: [], bodyHash: null })
    const changes = [{ map: 'cards', id: uuidOf(n), json }] as const
    held.applied({ project: 'demo', revision: 1, changes } as never, (work) => void later.add(work))
  }
  driver.exec('BEGIN; SAVEPOINT one')
  note('Leek', 500)
  driver.exec('RELEASE one; SAVEPOINT two')
  note('Chard', 501)
  note('Spinach', 500)
  driver.exec('ROLLBACK TO two; RELEASE two')
  assert.equal([later.size, find('leek').length], [1, 0])
  for (const work of later) work()
  driver.exec('COMMIT')
  assert.equal([find('leek').length, find('chard').length, find('spinach').length], [1, 0, 0])
  enter({ type: 'card.create', cardId: uuidOf(501), ...place, title: 'Chard' })
  assert.is(find('chard').length, 1)
  assert.is(index.fill(), false)
  driver.close()
})

test.run()
