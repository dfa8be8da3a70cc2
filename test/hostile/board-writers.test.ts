/**
 * Devices that write as `svc board` does and disturb others by their clocks, ranks, names and scopes: on the built
 * program, with a stranger measured beside them.
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CommandRefusal } from '../../core/command.ts'
import type { Command, Project } from '../../plugins/kbd/api.ts'
import { createActions } from '../../plugins/kbd/cli/actions.ts'
import type { BoardActions } from '../../plugins/kbd/cli/api.ts'
import { openBoard } from '../../plugins/kbd/cli/client.ts'
import { envelopeOf, PROJECT } from '../e2e/kbd/caller.ts'
import { type Reply, sendTo } from '../e2e/sync/daemon.ts'
import { withGifts } from '../support/command-gifts.ts'
import { testManifest } from '../support/kernels.ts'
import { storeParts } from '../support/store-parts.ts'
import { createServer, createSigner, type Signer } from '../unit/sync/platforms.ts'
import { repeat, startTarget, type Target, testAttack } from './rig.ts'

const test = suite('hostile: writers of boards')
const MAX_LABELS = 8
/** The highest possible rank. */
const LAST_RANK = 'z'.repeat(64)
/** How far the clock of a machine is ahead. The service accepts 30 s. */
const AHEAD_MS = 29_500

/** A device with the actions of `svc board`. */
interface Writer {
  readonly signer: Signer
  readonly actions: BoardActions
}

/** Enrols a device in the store while the service runs. */
async function enrol(target: Target, name: string, scope: string): Promise<Writer> {
  const signer = createSigner()
  const store = createServer({ path: join(target.folder, 'state', 'sync.db') })
  await store.enrol(signer, [scope])
  await store.close()
  const keyFile = join(target.folder, `${name}.key`)
  writeFileSync(keyFile, signer.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const said = { out: () => undefined, err: () => undefined, setting: () => null }
  const io = withGifts({
    environment: {},
    config: undefined,
    manifest: testManifest,
    commands: [],
    storeParts,
    ...said,
  })
  return { signer, actions: createActions(openBoard(io, { keyFile, project: 'demo', socket: target.socketPath })) }
}

/** Starts a service with a board of one column, and creates the writers of the attacks. */
async function openBoards() {
  const target = await startTarget('uws', { SVC_KBD__MAX_LABELS: `${MAX_LABELS}` })
  const owner = await enrol(target, 'owner', 'kbd-control:demo')
  const agent = await enrol(target, 'agent', 'kbd-control:demo#card')
  const rival = await enrol(target, 'rival', 'kbd-control:demo')
  const boardId = await owner.actions.addBoard('Release', ['To do'])
  const [column] = owner.actions.find.columns(await owner.actions.project())
  const { columnId } = column!
  /** Signs and sends a command like a device that does not use `svc board`. */
  const write = async (command: Command, issuedAtMs = Date.now()): Promise<Reply> => {
    const { frontier } = await rival.actions.project()
    const envelope = await envelopeOf(rival.signer, { command, parents: frontier.heads, issuedAtMs })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(envelope)
    return sendTo({ socketPath: target.socketPath }, { method: 'POST', path: `${PROJECT}/commands`, headers, body })
  }
  const cardOf = (title: string, rank = 'V'): Command & { cardId: string } => {
    const cardId = randomUUID()
    return { type: 'card.create', cardId, boardId, columnId, rank, title }
  }
  return { target, owner: owner.actions, agent: agent.actions, rival: rival.actions, write, cardOf }
}

type Boards = Awaited<ReturnType<typeof openBoards>>
type Attack = (boards: Boards, round: number) => Promise<void>

/** Waits for an action that must be refused with `code`, and returns the refusal. */
async function refusalOf(work: Promise<unknown>, code: string): Promise<CommandRefusal> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CommandRefusal)) throw error ?? new Error(`${code} was expected`)
  assert.is(error.code, code, error.message)
  return error
}

const titled = ({ cards }: Project, title: string) => Object.values(cards).filter((card) => card.title === title)

const attacks: Readonly<Record<string, Attack>> = {
  async 'actions of several commands, of which the later ones are outside of the scope'({ agent, owner }, round) {
    const title = `half done ${round}`
    const { details } = await refusalOf(agent.addCard({ title, labels: ['a', 'b'] }), 'signer_not_in_scope')
    const cards = titled(await owner.project(), title)
    assert.equal([details['made']], [{ cardId: cards[0]?.cardId }])
    assert.is(cards.length, 1)
  },

  async 'actions of several commands, of which a later one is invalid'({ rival, owner }) {
    const { revision } = await owner.project()
    await refusalOf(rival.addBoard('Board', ['a', '', 'b']), 'command_invalid')
    await refusalOf(rival.addCard({ title: 'Card', labels: ['good', 'x'.repeat(65)] }), 'command_invalid')
    assert.is((await owner.project()).revision, revision)
  },

  async 'the last rank of a column is taken'({ owner, write, cardOf }, round) {
    const last = await write(cardOf(`last ${round}`, LAST_RANK))
    assert.is(last.status, 201, last.text)
    const title = `beside the last ${round}`
    await owner.addCard({ title })
    await owner.moveCard(title, 'To do')
    const rank = titled(await owner.project(), title)[0]!.place!.rank
    assert.ok(rank < LAST_RANK, rank)
  },

  async 'thirty cards are made at once'({ owner, rival }, round) {
    const titles = Array.from({ length: 30 }, (_, n) => `at once ${round} ${n}`)
    const cardIds = await Promise.all(titles.map((title, n) => (n % 2 === 0 ? owner : rival).addCard({ title })))
    const { cards } = await owner.project()
    assert.equal(
      cardIds.map((cardId) => cards[cardId]?.title),
      titles,
    )
    assert.is(Object.values(cards).filter(({ title }) => title?.startsWith(`at once ${round} `)).length, titles.length)
  },

  async 'two writers claim one card, one after the other'({ owner, rival }, round) {
    const title = `wanted ${round}`
    await owner.addCard({ title })
    const lease = { leaseMs: 60_000, agent: 'owner' }
    await owner.claim(title, lease)
    for (let n = 0; n < 8; n++) {
      const { details } = await refusalOf(rival.claim(title, { ...lease, agent: 'rival' }), 'claim_held')
      assert.is((details['holder'] as { agent: string }).agent, 'owner')
    }
    await owner.release(title)
  },

  async 'a card is archived and restored, and gets more labels than it may have'({ owner, rival }, round) {
    const title = `to and fro ${round}`
    const cardId = await owner.addCard({ title })
    for (let n = 0; n < 4; n++) {
      await rival.archiveCard(cardId)
      await rival.restore('card', cardId)
    }
    const labels = Array.from({ length: MAX_LABELS + 4 }, (_, n) => `label${n}`)
    await refusalOf(rival.labelCard(title, labels, []), 'command_invalid')
    assert.is(Object.keys((await owner.project()).cards[cardId]!.labels).length, MAX_LABELS)
  },

  async 'a machine whose clock is 29.5 s ahead writes first'({ owner, write, cardOf }, round) {
    const aheadMs = Date.now() + AHEAD_MS
    const first = await write(cardOf(`ahead ${round}`), aheadMs)
    assert.is(first.status, 201, first.text)
    const late = await write(cardOf('late'))
    assert.is(late.status, 201, 'the time of a parent stops nobody')
    await owner.addCard({ title: `behind it ${round}` })
    assert.is(titled(await owner.project(), `behind it ${round}`).length, 1)
  },

  // This attack is the last, because after a second board exists every new card must name its board.
  async 'two boards with one name, and a card that names neither'({ owner, rival }, round) {
    await rival.addBoard('Release', ['To do'])
    const { revision, boards } = await owner.project()
    const plain = await refusalOf(owner.addCard({ title: 'where' }), 'ambiguous')
    const named = await refusalOf(owner.addCard({ title: 'where', board: 'Release' }), 'ambiguous')
    for (const { message } of [plain, named])
      for (const boardId of Object.keys(boards).slice(0, 3)) {
        const columns = owner.find.columns(await owner.project()).filter((column) => column.boardId === boardId)
        assert.ok(message.includes(boardId) || message.includes(columns[0]!.columnId), `${round}: ${message}`)
      }
    assert.is((await owner.project()).revision, revision)
  },
}

testAttack(test, 'writers that disturb the others', async () => {
  const boards = await openBoards()
  try {
    for (const [name, attack] of Object.entries(attacks)) await repeat(boards.target, name, (n) => attack(boards, n))
  } finally {
    await boards.target.stop()
  }
})

test.run()
