/**
 * Actions of the command line against a service that refuses commands: repeated commands, and the report of a partly
 * done action.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CommandIo, CommandRefusal, UsageError } from '../../../core/declare/command.ts'
import type { Claim, CommandEnvelope } from '../../../plugins/kbd/api.ts'
import { createActions } from '../../../plugins/kbd/cli/actions.ts'
import { boardCommand } from '../../../plugins/kbd/cli/board-command.ts'
import { openBoard } from '../../../plugins/kbd/cli/client.ts'
import { createDeviceKey } from '../../../plugins/protocol/sign/index.ts'
import { uuidOf } from './boards.ts'

const key = await createDeviceKey(new Uint8Array(32).fill(7))
const [boardId, columnId] = [uuidOf(1), uuidOf(2)]
const board = { boardId, title: 'Board', archived: false }
const column = { columnId, boardId, title: 'To do', rank: 'V', wipLimit: null, archived: false }

type Refuse = (envelope: CommandEnvelope) => CommandRefusal | undefined

/** The actions of a device, the commands that the service accepted or refused, and the held cards that were changed. */
function open(refuse: Refuse, more: Readonly<Record<string, object>> = {}, on?: string) {
  const sent: CommandEnvelope[] = []
  const held: string[] = []
  const project = {
    project: 'demo',
    frontier: { heads: [] },
    boards: { [boardId]: board, ...more['boards'] },
    columns: { [columnId]: column, ...more['columns'] },
    cards: { ...more['cards'] },
    claims: { ...more['claims'] },
    conflicts: {},
  }
  const service = {
    get: async () => project,
    getBytes: async () => undefined,
    async send(_method: string, _path: string, _type: string, body: string) {
      const envelope = JSON.parse(body) as CommandEnvelope
      sent.push(envelope)
      const refusal = refuse(envelope)
      if (refusal !== undefined) throw refusal
      return { revision: sent.length }
    },
  }
  const gifts: Readonly<Record<string, unknown>> = { LocalService: () => service, DeviceKeyFile: () => key }
  const io = { use: (name: string) => gifts[name] } as CommandIo
  const onHeld = ({ claimId }: Claim): void => void held.push(claimId)
  return { sent, held, actions: createActions(openBoard(io, { keyFile: 'key', project: 'demo', onHeld }), on) }
}

const idIn = (envelope: CommandEnvelope | undefined, member: string): unknown =>
  Object.entries(envelope?.command ?? {}).find(([name]) => name === member)?.[1]

const refusalOf = async (work: Promise<unknown>): Promise<CommandRefusal> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.instance(error, CommandRefusal)
  return error as CommandRefusal
}

test('the next free card is claimed, past held cards and those that others claim meanwhile', async () => {
  const card = (n: number, claim: string | null = null) => ({
    cardId: uuidOf(n),
    title: `c${n}`,
    place: { boardId, columnId, rank: `a${n}` },
    archived: false,
    claim,
  })
  const held = { claimId: uuidOf(105), deviceId: 'another', state: 'held', expiresAtMs: Date.now() + 60_000 }
  const more = {
    cards: { [uuidOf(5)]: card(5, uuidOf(105)), [uuidOf(6)]: card(6), [uuidOf(7)]: card(7) },
    claims: { [uuidOf(105)]: held },
  }
  const options = { leaseMs: 60_000, agent: null, claimId: uuidOf(9) }
  let isFirst = true
  const raced = open((envelope) => {
    if (!isFirst) return new CommandRefusal('entity_exists', 'x')
    isFirst = false
    return idIn(envelope, 'cardId') === uuidOf(6) ? new CommandRefusal('claim_held', 'x') : undefined
  }, more)
  // The id of a claim that has ended is refused.
  assert.is((await refusalOf(raced.actions.claimNext('To do', undefined, options))).code, 'claim_not_held')
  assert.equal(
    raced.sent.map((envelope) => idIn(envelope, 'cardId')),
    [uuidOf(6), uuidOf(7)],
  )
  const none = open(() => new CommandRefusal('claim_held', 'x'), more)
  assert.is(await none.actions.claimNext('To do', undefined, options), undefined)
  assert.is((await refusalOf(none.actions.claimNext('Nowhere', undefined, options))).code, 'not_found')
})

test('names are found whether their characters are composed or not', async () => {
  const named = { ...column, title: 'E\u0301tude' }
  const { sent, actions } = open(() => undefined, { columns: { [columnId]: named } })
  await actions.addCard({ title: 'Card', column: 'é' })
  assert.is(idIn(sent[0], 'columnId'), columnId)
})

test('texts that are too long or that nobody sees are refused in words, before anything is sent', async () => {
  const { sent, actions } = open(() => undefined)
  const cases: readonly [work: () => Promise<unknown>, message: string][] = [
    [() => actions.addCard({ title: 'é'.repeat(1_000) }), 'A title has 1 to 1024 bytes of UTF-8; this has 2000.'],
    [() => actions.addCard({ title: ' \u200b\u3164' }), 'A title has a character that people see.'],
    [() => actions.addBoard('B', ['']), 'A title has 1 to 1024 bytes of UTF-8; this has 0.'],
    [
      () => actions.addCard({ title: 'x', labels: ['y'.repeat(65)] }),
      'A label has 1 to 64 bytes of UTF-8; this has 65.',
    ],
    [() => actions.editCard('x', { priority: 7 }), 'A priority is an integer from 0 to 4, or null.'],
    [() => actions.comment('x', '\n'), 'A comment has a character that people see.'],
  ]
  for (const [work, message] of cases) {
    const { code, message: said } = await refusalOf(work())
    assert.equal([code, said], ['command_invalid', message])
  }
  assert.equal(sent, [])
})

test('a change to a card that another device holds is reported', async () => {
  const card = (n: number) => ({ cardId: uuidOf(n), title: `c${n}`, archived: false, claim: uuidOf(100 + n) })
  const claim = (n: number, deviceId: string, ms: number) => ({
    claimId: uuidOf(100 + n),
    deviceId,
    state: 'held',
    expiresAtMs: Date.now() + ms,
  })
  const { actions, held } = open(() => undefined, {
    cards: { [uuidOf(5)]: card(5), [uuidOf(6)]: card(6), [uuidOf(7)]: card(7) },
    claims: {
      [uuidOf(105)]: claim(5, 'another', 60_000),
      [uuidOf(106)]: claim(6, key.keyId, 60_000),
      [uuidOf(107)]: claim(7, 'another', -1),
    },
  })
  for (const name of ['c5', 'c6', 'c7']) await actions.editCard(name, { title: 'x' })
  assert.equal(held, [uuidOf(105)])
})

test('a device reads the project again after device_behind and frontier_mismatch', async () => {
  for (const code of ['device_behind', 'frontier_mismatch']) {
    let refusals = 7
    const { sent, actions } = open(() => (refusals-- > 0 ? new CommandRefusal(code, 'x') : undefined))
    await actions.addCard({ title: 'Card' })
    assert.is(sent.length, 8)
  }
})

test('an action that fails half way names what it has created', async () => {
  const outOfScope: Refuse = ({ command: { type } }) =>
    type === 'label.add' || type === 'column.create' ? new CommandRefusal('signer_not_in_scope', 'No.') : undefined
  const card = open(outOfScope)
  const refused = await refusalOf(card.actions.addCard({ title: 'Card', labels: ['a'] }))
  const [made] = card.sent
  assert.equal(refused.details['made'], { cardId: idIn(made, 'cardId') })
  assert.match(refused.message, /was made; label\.add failed/)
  assert.match(String(refused.details['hint']), /do not make it again/)
  const second = open(outOfScope)
  const ofBoard = await refusalOf(second.actions.addBoard('Board', ['a']))
  assert.equal(ofBoard.details['made'], { boardId: idIn(second.sent[0], 'boardId') })
})

test('with several boards a card without a column is refused, and the columns are listed', async () => {
  const [other, itsColumn] = [uuidOf(3), uuidOf(4)]
  const { sent, actions } = open(() => undefined, {
    boards: { [other]: { boardId: other, title: 'Other', archived: false } },
    columns: { [itsColumn]: { ...column, columnId: itsColumn, boardId: other } },
  })
  const { code, message } = await refusalOf(actions.addCard({ title: 'Card' }))
  assert.is(code, 'ambiguous')
  for (const id of [columnId, itsColumn]) assert.ok(message.includes(id))
  assert.is(sent.length, 0)
  await actions.addCard({ title: 'Card', column: itsColumn })
  assert.is(sent.length, 1)
})

test('an unknown verb is refused with the nearest verb', async () => {
  for (const [verb, says] of [
    ['mvoe', 'there is no "mvoe": did you mean move?'],
    ['archiv', 'there is no "archiv": did you mean archive?'],
    ['frobnicate', 'there is no "frobnicate": there are list, show, add, move,'],
  ] as const) {
    const error = await boardCommand.run([verb], {} as CommandIo).catch((thrown: unknown) => thrown)
    assert.instance(error, UsageError)
    assert.match((error as UsageError).message, says)
  }
})

test('a card title on several boards is found on the named board', async () => {
  const other = uuidOf(3)
  const place = (on: string, at: string) => ({ boardId: on, columnId: at, rank: 'V' })
  const cards = {
    [uuidOf(5)]: { cardId: uuidOf(5), title: 'Write', place: place(boardId, columnId), archived: false, claim: null },
    [uuidOf(6)]: { cardId: uuidOf(6), title: 'Write', place: place(other, uuidOf(4)), archived: false, claim: null },
  }
  const more = {
    boards: { [other]: { boardId: other, title: 'Other', archived: false } },
    columns: { [uuidOf(4)]: { ...column, columnId: uuidOf(4), boardId: other } },
    cards,
  }
  const several = open(() => undefined, more)
  assert.is((await refusalOf(several.actions.archiveCard('Write'))).code, 'ambiguous')
  const one = open(() => undefined, more, 'Oth')
  assert.is(await one.actions.archiveCard('Write'), uuidOf(6))
  assert.equal(one.sent[0]?.command, { type: 'card.archive', cardId: uuidOf(6) })
  await one.actions.addCard({ title: 'New' })
  assert.is(idIn(one.sent[1], 'columnId'), uuidOf(4))
  assert.is((await refusalOf(several.actions.addCard({ title: 'New' }))).code, 'ambiguous')
  assert.is(await several.actions.archiveBoard('Other'), other)
  assert.equal(several.sent.at(-1)?.command, { type: 'board.archive', boardId: other, archived: true })
})

test.run()
