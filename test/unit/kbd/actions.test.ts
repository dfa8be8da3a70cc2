/**
 * Actions of the command line against a service that refuses commands: repeated commands, and the report of a partly
 * done action.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CommandIo, CommandRefusal, UsageError } from '../../../core/command.ts'
import type { CommandEnvelope } from '../../../plugins/kbd/api.ts'
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

/** The actions of a device, and the commands that the service accepted or refused. */
function open(refuse: Refuse, more: Readonly<Record<string, object>> = {}, on?: string) {
  const sent: CommandEnvelope[] = []
  const project = {
    project: 'demo',
    frontier: { heads: [] },
    boards: { [boardId]: board, ...more['boards'] },
    columns: { [columnId]: column, ...more['columns'] },
    cards: { ...more['cards'] },
    claims: {},
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
  return { sent, actions: createActions(openBoard(io, { keyFile: 'key', project: 'demo' }), on) }
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

test('a device reads the project again after device_behind and frontier_mismatch', async () => {
  for (const code of ['device_behind', 'frontier_mismatch']) {
    let refusals = 7
    const { sent, actions } = open(() => (refusals-- > 0 ? new CommandRefusal(code, 'x') : undefined))
    await actions.addCard({ title: 'Card' })
    assert.is(sent.length, 8)
  }
})

test('an invalid value is found before the first command is sent', async () => {
  const { sent, actions } = open(() => undefined)
  for (const work of [
    actions.addBoard('Board', ['a', '', 'b']),
    actions.addCard({ title: 'Card', labels: ['good', 'x'.repeat(65)] }),
    actions.addCard({ title: '' }),
  ]) {
    const { code, details } = await refusalOf(work)
    assert.is(code, 'command_invalid')
    assert.ok(String(details['member']).startsWith('/command/'))
  }
  assert.is(sent.length, 0)
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
