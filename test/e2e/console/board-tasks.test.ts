/**
 * Two tasks of somebody who has not seen the page: who moved a card, and resolve a conflict. By role and name, with the
 * service up, stopped, and restarted; nothing false is on the page in any of these states.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, Project } from '../../../plugins/kbd/api.ts'
import { type DeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import { readDeviceKey } from '../../../scripts/service.ts'
import { sendTo } from '../sync/daemon.ts'
import { openConsole, type PageNode, pageTest, startPageNode, violationsIn } from './pages.ts'

const PROJECT = '/api/v1/kbd/projects/demo'

/** A board with a card that Grace has moved, and whose title Ada and Grace have changed at the same time. */
interface Board {
  readonly cardId: string
  project(): Promise<Project>
}

async function makeBoard(node: PageNode): Promise<Board> {
  for (const [name, label] of Object.entries({ ada: 'Ada’s laptop', grace: 'Grace, phone' })) {
    await node.svc('device', 'keygen', '--out', `${name}.key`)
    await node.svc('device', 'enroll', '--key', `${name}.key.pub`, '--scope', 'kbd-control:demo', '--label', label)
  }
  const [ada, grace] = (await Promise.all(['ada', 'grace'].map((name) => readDeviceKey(node, name)))) as [
    DeviceKey,
    DeviceKey,
  ]
  const socket = { socketPath: join(node.folder, 'run', 's.sock') }
  const project = async (): Promise<Project> =>
    (await sendTo(socket, { method: 'GET', path: PROJECT })).json() as unknown as Project
  const enter = async (key: DeviceKey, command: Command, parents?: readonly string[]): Promise<void> => {
    const heads = parents ?? (await project()).frontier.heads
    const body = JSON.stringify(await signCommand(key, { project: 'demo', command, parents: heads }))
    const headers = { 'content-type': 'application/json' }
    const reply = await sendTo(socket, { method: 'POST', path: `${PROJECT}/commands`, body, headers })
    assert.is(reply.status, 201, reply.text)
  }
  const [boardId, cardId, todo, done] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const
  await enter(ada, { type: 'board.create', boardId, title: 'Release 1' }, [])
  await enter(ada, { type: 'column.create', columnId: todo, boardId, title: 'To do', rank: 'V' })
  await enter(ada, { type: 'column.create', columnId: done, boardId, title: 'Done', rank: 'W' })
  await enter(ada, { type: 'card.create', cardId, boardId, columnId: todo, rank: 'V', title: 'Write the notes' })
  await enter(grace, { type: 'card.move', cardId, boardId, columnId: done, rank: 'V' })
  const { heads } = (await project()).frontier
  await enter(ada, { type: 'card.update', cardId, title: 'Write the notes today' }, heads)
  await enter(grace, { type: 'card.update', cardId, title: 'Write the notes tomorrow' }, heads)
  return { cardId, project }
}

/** Finds out who moved the card: from the board, by its title. */
async function whoMoved(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Write the notes/ }).click()
  const card = page.getByRole('complementary', { name: 'Card' })
  const move = card.getByRole('listitem').filter({ hasText: 'Move from To do to Done' })
  await move.getByText('Grace, phone').waitFor()
  await move.getByText('verified', { exact: true }).waitFor()
}

const textOf = (page: Page): Promise<string> => page.locator('main').innerText()

pageTest(
  'who moved a card, and a conflict is resolved, with the service up, stopped, and restarted',
  async (browser) => {
    const node = await startPageNode()
    const { project } = await makeBoard(node)
    const shown = await openConsole(node, browser, '--write', '--key', 'ada.key')
    const { page } = shown
    const conflicts = page.getByRole('region', { name: 'Conflicts' })

    await shown.go('/boards/demo')
    await whoMoved(page)
    assert.equal(await violationsIn(page), [])
    await conflicts.getByText('Write the notes tomorrow').waitFor()

    await node.stop()
    const status = page.getByRole('status')
    await status
      .getByText(/has not answered since/)
      .first()
      .waitFor()
    await status.getByText(/^Not the present state of project demo/).waitFor()
    const answer = conflicts.getByRole('listitem').filter({ hasText: 'Write the notes tomorrow' })
    await answer.getByRole('button', { name: 'Keep this one' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign and send' }).click()
    await page.getByRole('alert').waitFor()
    assert.match(await textOf(page), /no answer|No service|does not answer|not answered/)
    // Nothing claims that the conflict is resolved, or that the command was sent.
    await answer.waitFor()
    assert.not.match(await textOf(page), /Signed and sent|\d+ commands? sent\s+sent/)
    assert.is(await page.getByRole('button', { name: /Undo/ }).count(), 0)
    assert.equal(await violationsIn(page), [])

    await shown.go('/boards/demo')
    await page
      .getByText(/^Not known/)
      .first()
      .waitFor()
    assert.not.match(await textOf(page), /There is no board yet|no project yet|No cards/)

    await node.restart()
    await page.getByRole('link', { name: /Write the notes/ }).waitFor()
    await whoMoved(page)
    await answer.getByRole('button', { name: 'Keep this one' }).click()
    const sheet = page.getByRole('dialog')
    const words = await sheet.innerText()
    assert.match(words, /Resolve the conflict about the title of “Write the notes/)
    assert.match(words, /Keep\s+Write the notes tomorrow\s+Instead of\s+Write the notes today/)
    assert.match(words, /Signed by Ada’s laptop/)
    assert.not.match(words, /[0-9a-f]{8}/, 'no id is shown')
    await sheet.getByRole('button', { name: 'Sign and send' }).click()
    await conflicts.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Write the notes tomorrow' }).waitFor()
    assert.equal(Object.keys((await project()).conflicts), [])

    // The audit has the same, in words.
    await shown.go('/audit')
    await page.getByRole('searchbox', { name: 'Search the entries' }).fill('move grace')
    const entry = page.getByRole('button', { name: /Move “Write the notes.*Done.*Grace, phone/ })
    await entry.click()
    await page.getByRole('dialog').getByRole('link', { name: 'Show the card' }).click()
    await page.getByRole('complementary', { name: 'Card' }).waitFor()
    assert.equal(shown.faults, [])
    await shown.close()
    await node.stop()
  },
)

test.run()
