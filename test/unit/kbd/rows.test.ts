/** The table of commands: the bounds of the members of each command, and a conflict that is listed once. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { findInvalid } from '../../../plugins/kbd/engine/commands/commands.ts'
import { codecs, uuidOf } from './boards.ts'

const [B, C, K, L, Z] = [1, 2, 3, 4, 5].map(uuidOf) as [string, string, string, string, string]
const HASH = 'a'.repeat(64)
const place = { boardId: B, columnId: C, rank: 'm' }
const lease = { agent: 'ada', leaseMs: 60_000 }

const board: Command = { type: 'board.create', boardId: B, title: 'Board' }
const column: Command = { type: 'column.create', columnId: C, boardId: B, title: 'Column', rank: 'a', wipLimit: 3 }
const card: Command = {
  type: 'card.create',
  cardId: K,
  ...place,
  title: 'All',
  bodyHash: HASH,
  priority: 4,
  assignee: 'eve',
}

/** Values of members at and beyond their bounds: accepted values and refused values. */
const BOUNDS: readonly (readonly [Command, string, taken: readonly unknown[], refused: readonly unknown[]])[] = [
  [
    board,
    'title',
    ['x', 'x'.repeat(1_024), 'é'.repeat(512)],
    ['', 'x'.repeat(1_025), `é${'é'.repeat(512)}`, 'a\0b', 1],
  ],
  [board, 'boardId', [B], [B.toUpperCase().replace('1', 'A'), uuidOf(0).replace(/[^-]/g, '0'), '', 'x', null]],
  [column, 'rank', ['a', 'Z'.repeat(64)], ['', 'Z'.repeat(65), 'a0', 'a b', 'é']],
  [column, 'wipLimit', [1, 1_000, null], [0, 1_001, 1.5, '1', -1]],
  [card, 'priority', [0, 4, null], [-1, 5, 0.5, '1']],
  [card, 'assignee', ['x', 'x'.repeat(256), null], ['', 'x'.repeat(257), `${'é'.repeat(128)}x`, '\0']],
  [card, 'bodyHash', [HASH, null], [HASH.toUpperCase(), HASH.slice(1), `${HASH}a`, '']],
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
