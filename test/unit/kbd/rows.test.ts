/** The table of commands: the registers that each command writes, and the bounds of its members. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { findInvalid } from '../../../plugins/kbd/engine/commands/commands.ts'
import { COMMAND_FORMS } from '../../../plugins/kbd/engine/commands/fields.ts'
import { codecs, drivers, openNode, proven, START_MS, uuidOf } from './boards.ts'

const [B, C, K, L, M, Z] = [1, 2, 3, 4, 5, 6].map(uuidOf) as [string, string, string, string, string, string]
const [K2, Z2] = [7, 8].map(uuidOf) as [string, string]
const HASH = 'a'.repeat(64)
const place = { boardId: B, columnId: C, rank: 'm' }
const lease = { agent: 'ada', leaseMs: 60_000 }

/** Commands, each with the registers that it writes and their values. */
const ROWS: readonly (readonly [Command, Readonly<Record<string, unknown>>])[] = [
  [
    { type: 'board.create', boardId: B, title: 'Board' },
    { [`board/${B}/title`]: 'Board', [`board/${B}/archived`]: false },
  ],
  [{ type: 'board.update', boardId: B, title: 'Other' }, { [`board/${B}/title`]: 'Other' }],
  [{ type: 'board.archive', boardId: B, archived: true }, { [`board/${B}/archived`]: true }],
  [{ type: 'board.archive', boardId: B, archived: false }, { [`board/${B}/archived`]: false }],
  [
    { type: 'column.create', columnId: C, boardId: B, title: 'Column', rank: 'a' },
    {
      [`column/${C}/boardId`]: B,
      [`column/${C}/title`]: 'Column',
      [`column/${C}/rank`]: 'a',
      [`column/${C}/archived`]: false,
    },
  ],
  [
    { type: 'column.create', columnId: M, boardId: B, title: 'Limited', rank: 'b', wipLimit: 3 },
    {
      [`column/${M}/boardId`]: B,
      [`column/${M}/title`]: 'Limited',
      [`column/${M}/rank`]: 'b',
      [`column/${M}/wipLimit`]: 3,
      [`column/${M}/archived`]: false,
    },
  ],
  [{ type: 'column.update', columnId: C, rank: 'c' }, { [`column/${C}/rank`]: 'c' }],
  [
    { type: 'column.update', columnId: M, title: 'Free', wipLimit: null },
    { [`column/${M}/title`]: 'Free', [`column/${M}/wipLimit`]: null },
  ],
  [{ type: 'column.archive', columnId: M, archived: true }, { [`column/${M}/archived`]: true }],
  [
    { type: 'card.create', cardId: K, ...place, title: 'Card' },
    { [`card/${K}/place`]: place, [`card/${K}/title`]: 'Card', [`card/${K}/archived`]: false },
  ],
  [
    { type: 'card.create', cardId: K2, ...place, title: 'All', bodyHash: HASH, priority: 4, assignee: 'eve' },
    {
      [`card/${K2}/place`]: place,
      [`card/${K2}/title`]: 'All',
      [`card/${K2}/bodyHash`]: HASH,
      [`card/${K2}/priority`]: 4,
      [`card/${K2}/assignee`]: 'eve',
      [`card/${K2}/archived`]: false,
    },
  ],
  [{ type: 'card.update', cardId: K, title: 'Again' }, { [`card/${K}/title`]: 'Again' }],
  [
    { type: 'card.update', cardId: K2, bodyHash: null, priority: null, assignee: null },
    { [`card/${K2}/bodyHash`]: null, [`card/${K2}/priority`]: null, [`card/${K2}/assignee`]: null },
  ],
  [
    { type: 'card.move', cardId: K, boardId: B, columnId: M, rank: 'x' },
    { [`card/${K}/place`]: { boardId: B, columnId: M, rank: 'x' } },
  ],
  [
    {
      type: 'column.rerank',
      columnId: C,
      places: [
        { cardId: K, rank: 'p' },
        { cardId: K2, rank: 'q' },
      ],
    },
    { [`card/${K}/place`]: { ...place, rank: 'p' }, [`card/${K2}/place`]: { ...place, rank: 'q' } },
  ],
  [{ type: 'card.archive', cardId: K }, { [`card/${K}/archived`]: true }],
  [{ type: 'card.restore', cardId: K }, { [`card/${K}/archived`]: false }],
  [{ type: 'label.add', cardId: K, name: 'a/b' }, { [`card/${K}/label/a/b`]: true }],
  [{ type: 'label.remove', cardId: K, name: 'a/b' }, { [`card/${K}/label/a/b`]: false }],
  [
    { type: 'link.add', linkId: L, from: K, to: K2, kind: 'blocks' },
    { [`link/${L}/link`]: { from: K, to: K2, kind: 'blocks' }, [`link/${L}/removed`]: false },
  ],
  [{ type: 'link.remove', linkId: L }, { [`link/${L}/removed`]: true }],
  [
    { type: 'comment.add', commentId: M, cardId: K, bodyHash: HASH },
    { [`comment/${M}/cardId`]: K, [`comment/${M}/bodyHash`]: HASH, [`comment/${M}/redacted`]: false },
  ],
  [{ type: 'comment.edit', commentId: M, bodyHash: 'b'.repeat(64) }, { [`comment/${M}/bodyHash`]: 'b'.repeat(64) }],
  [{ type: 'comment.redact', commentId: M }, { [`comment/${M}/redacted`]: true }],
  [{ type: 'claim.acquire', claimId: Z, cardId: K, ...lease }, { [`card/${K}/claim`]: 'claim.acquire' }],
  [{ type: 'claim.renew', claimId: Z, cardId: K, leaseMs: 20_000 }, { [`card/${K}/claim`]: 'claim.renew' }],
  [{ type: 'claim.release', claimId: Z, cardId: K }, { [`card/${K}/claim`]: 'claim.release' }],
  [{ type: 'claim.force', claimId: Z2, cardId: K, ...lease }, { [`card/${K}/claim`]: 'claim.force' }],
]

for (const [name, open] of Object.entries(drivers)) {
  test(`${name}: each command writes the registers of its row and no others`, () => {
    const { driver, ledger } = openNode(open)
    let revision = 0
    const enter = (command: Command, parents = ledger.standing('demo').frontier.heads): string => {
      const applied = ledger.enter(proven(command, { parents }), START_MS)
      revision = applied.revision
      return applied.id
    }
    const written = (): Record<string, unknown> =>
      Object.fromEntries(
        driver
          .prepare('SELECT entity, name, value FROM kbd_entries WHERE pos = ? ORDER BY entity, name')
          .all<[entity: string, name: string, value: string]>(revision)
          // Internal entries that are not registers are left out.
          .filter(([, register]) => register !== '+' && register !== '~')
          .map(([entity, register, text]) => {
            const value = JSON.parse(text) as unknown
            // For a claim only the type of the writing command is compared.
            return [`${entity}/${register}`, register === 'claim' ? (value as { type: string }).type : value]
          }),
      )
    for (const [command, expected] of ROWS) {
      enter(command)
      assert.equal(written(), expected, JSON.stringify(command))
    }
    // A resolution writes the register that it settles, by a candidate or by a value.
    for (const byValue of [true, false]) {
      const before = ledger.standing('demo').frontier.heads
      const ids = ['One', 'Two'].map((title) => enter({ type: 'card.update', cardId: K, title }, before)).sort()
      const [conflict] = ledger.conflicts('demo')
      assert.equal(
        conflict!.candidates.map(({ id }) => id),
        ids,
      )
      const { conflictId, register, candidates } = conflict!
      const choose = byValue ? { value: 'Three' } : { id: ids[1]! }
      enter({ type: 'conflict.resolve', conflictId, register, candidates: ids, choose })
      assert.equal(written(), { [`card/${K}/title`]: byValue ? 'Three' : candidates[1]!.value })
    }
    assert.equal(
      [...new Set([...ROWS.map(([{ type }]) => type), 'conflict.resolve'])].sort(),
      Object.keys(COMMAND_FORMS).sort(),
    )
    driver.close()
  })
}

test('for a concurrent archive and second creation of one card only the archive_edit conflict is listed', () => {
  const { driver, ledger } = openNode(drivers['node:sqlite']!)
  const admit = (command: Command, parents: readonly string[]): string =>
    ledger.admit(proven(command, { parents }), START_MS)!.id
  const create: Command = { type: 'card.create', cardId: K, ...place, title: 'Card' }
  const root = admit({ type: 'board.create', boardId: B, title: 'Board' }, [])
  const column = admit({ type: 'column.create', columnId: C, boardId: B, title: 'Column', rank: 'a' }, [root])
  const card = admit(create, [column])
  const archive = admit({ type: 'card.archive', cardId: K }, [card])
  const again = admit({ ...create, title: 'Second' }, [card])
  const found = ledger.conflicts('demo')
  assert.equal(
    found.map(({ kind, register }) => [kind, register]),
    [['archive_edit', `card/${K}/archived`]],
  )
  assert.equal(
    found[0]!.candidates.map(({ id, value }) => [id, value]),
    [
      [archive, true],
      [again, false],
    ].sort((one, other) => (one[0]! < other[0]! ? -1 : 1)),
  )
  driver.close()
})

/** Values of members at and beyond their bounds: accepted values and refused values. */
const BOUNDS: readonly (readonly [Command, string, taken: readonly unknown[], refused: readonly unknown[]])[] = [
  [
    ROWS[0]![0],
    'title',
    ['x', 'x'.repeat(1_024), 'é'.repeat(512)],
    ['', 'x'.repeat(1_025), `é${'é'.repeat(512)}`, 'a\0b', 1],
  ],
  [ROWS[0]![0], 'boardId', [B], [B.toUpperCase().replace('1', 'A'), uuidOf(0).replace(/[^-]/g, '0'), '', 'x', null]],
  [ROWS[4]![0], 'rank', ['a', 'Z'.repeat(64)], ['', 'Z'.repeat(65), 'a0', 'a b', 'é']],
  [ROWS[5]![0], 'wipLimit', [1, 1_000, null], [0, 1_001, 1.5, '1', -1]],
  [ROWS[10]![0], 'priority', [0, 4, null], [-1, 5, 0.5, '1']],
  [ROWS[10]![0], 'assignee', ['x', 'x'.repeat(256), null], ['', 'x'.repeat(257), `${'é'.repeat(128)}x`, '\0']],
  [ROWS[10]![0], 'bodyHash', [HASH, null], [HASH.toUpperCase(), HASH.slice(1), `${HASH}a`, '']],
  [
    { type: 'label.add', cardId: K, name: 'a' },
    'name',
    ['x', 'x'.repeat(64)],
    ['', 'x'.repeat(65), 'é'.repeat(33), '\0'],
  ],
  [
    { type: 'link.add', linkId: L, from: K, to: 'https://example.org/', kind: 'url' },
    'to',
    ['http://a', `https://example.org/${'x'.repeat(2_028)}`],
    [`https://example.org/${'x'.repeat(2_029)}`, 'ftp://example.org/', 'javascript:alert(1)', 'example.org', ''],
  ],
  [
    { type: 'claim.acquire', claimId: Z, cardId: K, ...lease },
    'agent',
    [null, 'x', 'x'.repeat(64)],
    ['', 'x'.repeat(65), '\0', 1],
  ],
  [
    { type: 'claim.renew', claimId: Z, cardId: K, leaseMs: 20_000 },
    'leaseMs',
    [10_000, 86_400_000],
    [9_999, 86_400_001, 10_000.5, '10000'],
  ],
  [
    { type: 'column.rerank', columnId: C, places: [{ cardId: K, rank: 'p' }] },
    'places',
    [Array.from({ length: 256 }, (_, n) => ({ cardId: uuidOf(100 + n), rank: 'p' }))],
    [
      [],
      Array.from({ length: 257 }, (_, n) => ({ cardId: uuidOf(100 + n), rank: 'p' })),
      [0, 1].map(() => ({ cardId: K, rank: 'p' })),
    ],
  ],
]

test('values within the bounds of a member are accepted, and values beyond them are refused', () => {
  for (const [command, member, taken, refused] of BOUNDS) {
    const judge = (value: unknown): string | undefined => findInvalid({ ...command, [member]: value }, codecs)
    for (const value of taken) assert.is(judge(value), undefined, `${command.type} ${member} ${JSON.stringify(value)}`)
    for (const value of refused)
      assert.ok(
        judge(value)?.startsWith(`/command/${member}`),
        `${command.type} ${member} ${JSON.stringify(value)}: ${judge(value)}`,
      )
  }
})

test.run()
