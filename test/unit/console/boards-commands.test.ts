/** The boards of the console: the commands for changes, how they are submitted, and the history of a card. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type EnterPorts, enterCommands } from '../../../plugins/console/page/views/boards/changes/enter.ts'
import { placeCommand, rankIn } from '../../../plugins/console/page/views/boards/columns/place.ts'
import { createTouching } from '../../../plugins/console/page/views/boards/detail/history.ts'
import { sentenceOf, valueWords, wordsOf } from '../../../plugins/console/page/views/boards/words.ts'
import type { Command, CommandEnvelope, Project } from '../../../plugins/kbd/api.ts'
import { rankBetween } from '../../../plugins/protocol/ranks.ts'
import { createDeviceKey, signCommand, verifyCommand } from '../../../plugins/protocol/sign/index.ts'
import { idOfCommand } from '../../../plugins/protocol/sign/verify.ts'
import { cardOf, projectOf } from './boards-parts.ts'

const RANK = /^(?=.{1,64}$)[0-9A-Za-z]*[1-9A-Za-z]$/
const project = projectOf({})
const column = project.columns['c1']!

test('a new rank sorts between its neighbours, also at both ends', () => {
  const pairs: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    [undefined, 'V'],
    [undefined, '1'],
    [undefined, '01'],
    ['V', undefined],
    ['V', 'W'],
    ['V', 'V1'],
    ['V', 'V00001'],
    ['Az', 'B'],
    ['z', undefined],
  ]
  for (const [before, after] of pairs) {
    const rank = rankBetween(before, after)
    assert.ok(rank !== undefined && RANK.test(rank), `${before} ${after} → ${rank}`)
    assert.ok((before ?? '') < rank && (after === undefined || rank < after), `${before} < ${rank} < ${after}`)
  }
  assert.is(rankBetween('V', 'V'), undefined)
  assert.is(rankBetween('W', 'V'), undefined)
  let high = 'V'
  for (let i = 0; i < 200; i++) {
    const rank = rankBetween('A', high)!
    assert.ok('A' < rank && rank < high && RANK.test(rank))
    high = rank
  }
})

test('the time of a claim is written in seconds, minutes or hours', () => {
  const words = (leaseMs: number): string =>
    sentenceOf({ type: 'claim.acquire', claimId: 'x', cardId: 'a', agent: null, leaseMs }, project)
  assert.match(words(10_000), / for 10 s$/)
  assert.match(words(60_000), / for 1 min$/)
  assert.match(words(5_400_000), / for 1\.5 h$/)
})

test('one command places a card between two others or at an end', () => {
  const cards = [cardOf('a', 'c1', 'V'), cardOf('b', 'c1', 'X')]
  for (const index of [0, 1, 2]) {
    const command = placeCommand('new', column, cards, index)!
    assert.is(command.type, 'card.move')
    const ranks = ['V', 'X'].toSpliced(index, 0, rankIn(command, 'new')!)
    assert.equal(ranks, ranks.toSorted())
  }
})

test('between cards of equal rank, the command also gives new ranks to the cards after it', () => {
  const cards = [cardOf('a', 'c1', 'V'), cardOf('b', 'c1', 'V'), cardOf('c', 'c1', 'V'), cardOf('d', 'c1', 'W')]
  const command = placeCommand('new', column, cards, 1)
  assert.is(command?.type, 'column.rerank')
  const places = command?.type === 'column.rerank' ? command.places : []
  assert.equal(
    places.map(({ cardId }) => cardId),
    ['new', 'b', 'c'],
  )
  const ranks = ['V', ...places.map(({ rank }) => rank), 'W']
  assert.equal(ranks, [...new Set(ranks)].sort())
})

interface Rig {
  readonly ports: EnterPorts
  readonly shown: number[]
  readonly sent: CommandEnvelope[]
}

async function rigOf(refusals: readonly unknown[] = [], isWanted = true): Promise<Rig> {
  const key = await createDeviceKey(new Uint8Array(32).fill(7))
  const shown: number[] = []
  const sent: CommandEnvelope[] = []
  const waiting = [...refusals]
  return {
    shown,
    sent,
    ports: {
      read: async () => ({ ...project, frontier: { heads: ['b'.repeat(64)] } }),
      sign: ({ command, ...rest }) => signCommand(key, { ...rest, command: command as Command }, { now: () => 1_000 }),
      show: async (signed) => {
        shown.push(signed.length)
        return isWanted
      },
      send: async (envelope) => {
        const refusal = waiting.shift()
        if (refusal !== undefined) throw refusal
        sent.push(envelope)
      },
    },
  }
}

function refusalOf(code: string, details: Readonly<Record<string, unknown>> = {}): Error {
  return Object.assign(new Error(code), { code, details })
}

const archive: Command = { type: 'card.archive', cardId: 'a' }
const label: Command = { type: 'label.add', cardId: 'a', name: 'docs' }

test('commands are signed as a chain, shown once and sent in order', async () => {
  const { ports, shown, sent } = await rigOf()
  assert.ok(await enterCommands(ports, project, () => [archive, label]))
  assert.equal(shown, [2])
  assert.equal(sent[0]!.expectedFrontier, project.frontier)
  assert.equal(sent[1]!.expectedFrontier, { heads: [idOfCommand(sent[0]!)] })
})

test('commands that the user does not confirm are not sent', async () => {
  const { ports, sent } = await rigOf([], false)
  assert.not(await enterCommands(ports, project, () => [archive]))
  assert.equal(sent, [])
})

test('if the project has changed, the same command is signed on the new heads without another confirmation', async () => {
  const moved = refusalOf('frontier_mismatch')
  const { ports, shown, sent } = await rigOf([moved])
  assert.ok(await enterCommands(ports, project, () => [archive]))
  assert.equal(shown, [1])
  assert.equal(sent[0]!.expectedFrontier, { heads: ['b'.repeat(64)] })
})

test('a changed command is shown again, and any other refusal is passed on', async () => {
  const moved = refusalOf('device_behind')
  const { ports, shown } = await rigOf([moved])
  assert.ok(
    await enterCommands(ports, project, ({ frontier }) => [frontier.heads[0]!.startsWith('b') ? label : archive]),
  )
  assert.equal(shown, [1, 1])
  const refusal = refusalOf('claim_held')
  const other = await rigOf([refusal])
  assert.is(await enterCommands(other.ports, project, () => [archive]).catch((error: unknown) => error), refusal)
})

test('a command verifies as signed, and no changed command verifies', async () => {
  const key = await createDeviceKey(new Uint8Array(32).fill(9))
  const envelope = await signCommand(key, { project: 'demo', command: label, parents: [] })
  const listed = { id: idOfCommand(envelope), project: 'demo' }
  assert.ok(verifyCommand(envelope, listed))
  const other = await createDeviceKey(new Uint8Array(32).fill(8))
  for (const [what, wrong] of Object.entries({
    command: { ...envelope, command: { ...label, name: 'dogs' } },
    time: { ...envelope, issuedAtMs: envelope.issuedAtMs + 1 },
    signer: { ...envelope, signerKeyId: other.keyId },
    signature: { ...envelope, signature: `${envelope.signature[0] === 'A' ? 'B' : 'A'}${envelope.signature.slice(1)}` },
    member: { ...envelope, more: 1 },
    surrogate: { ...envelope, more: '\ud800' },
    nothing: null,
    text: 'text',
  }))
    assert.not(verifyCommand(wrong), what)
  assert.not(verifyCommand(envelope, { ...listed, id: '0'.repeat(64) }), 'another id')
  assert.not(verifyCommand(envelope, { ...listed, project: 'other' }), 'another project')
})

test('the history of a card includes its comments and links, which are recognised by earlier ids', () => {
  const touches = createTouching('a')
  const add = { commentId: 'k', cardId: 'a', bodyHash: '' }
  const commands: [Command, boolean][] = [
    [{ type: 'card.archive', cardId: 'a' }, true],
    [{ type: 'card.archive', cardId: 'b' }, false],
    [{ type: 'comment.redact', commentId: 'k' }, false],
    [{ type: 'comment.add', ...add }, true],
    [{ type: 'comment.redact', commentId: 'k' }, true],
    [{ type: 'link.add', linkId: 'l', from: 'b', to: 'a', kind: 'blocks' }, true],
    [{ type: 'link.remove', linkId: 'l' }, true],
    [{ type: 'column.rerank', columnId: 'c', places: [{ cardId: 'a', rank: 'V' }] }, true],
    [{ type: 'conflict.resolve', conflictId: '', register: 'card/a/title', candidates: [], choose: { id: '' } }, true],
    [{ type: 'conflict.resolve', conflictId: '', register: 'card/b/title', candidates: [], choose: { id: '' } }, false],
    [{ type: 'board.create', boardId: 'a', title: 'a' }, false],
  ]
  for (const [command, touchesCard] of commands) assert.is(touches(command), touchesCard, JSON.stringify(command))
})

test('commands and values are described in words', () => {
  const { columns, boards } = project
  const cards: Project['cards'] = { a: cardOf('a', 'c1', 'V') }
  const words = (command: Command): string => wordsOf(command, { columns, boards, cards })
  assert.is(
    words({ type: 'card.move', cardId: 'a', boardId: 'board', columnId: 'c2', rank: 'V' }),
    'Move from c1 to c2',
  )
  assert.is(words({ type: 'card.update', cardId: 'a', title: 'x', priority: 1 }), 'Change the title and priority')
  assert.is(words({ type: 'claim.renew', claimId: 'k', cardId: 'a', leaseMs: 1_800_000 }), 'Renew the claim for 30 min')
  const of = { register: 'card/a/place', kind: 'place' as const }
  assert.is(valueWords(of, { boardId: 'board', columnId: 'c1', rank: 'V' }, project), 'c1, Release')
  assert.is(valueWords({ register: 'card/a/archived', kind: 'archive_edit' }, false, project), 'kept, with its edits')
})

test.run()
