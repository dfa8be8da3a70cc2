/** Actions with cards and boards, except moving and claiming: each command is shown, signed and applied. */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { boardTest, cardIn, laneOf, sendShown, sheetShown, until } from './board-steps.ts'
import type { BoardRig } from './boards-rig.ts'

/** Adds a card and opens its page. */
async function opened({ page, card, open }: BoardRig, title: string): Promise<string> {
  const id = await card(title)
  await open(id)
  await page.getByRole('complementary', { name: 'Card' }).getByRole('heading', { name: title }).waitFor()
  return id
}

boardTest('an edit of a card is one command with only the changed members', async (rig) => {
  const { page } = rig
  const id = await opened(rig, 'Before the edit')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title', { exact: true }).fill('After the edit')
  await page.getByLabel('Text', { exact: true }).fill('With a text')
  await page.getByLabel('Priority').selectOption('2')
  await page.getByLabel('Assignee', { exact: true }).fill('Grace')
  await page.getByRole('button', { name: 'Save' }).click()
  await sheetShown(rig)
  const { type, title, priority, assignee } = await sendShown(rig)
  assert.equal([type, title, priority, assignee], ['card.update', 'After the edit', 2, 'Grace'])
  const { cards } = await until(rig, 'the edit', (project) => project.cards[id]!.title === 'After the edit')
  assert.equal([cards[id]!.priority, cards[id]!.assignee], [2, 'Grace'])
  await page.locator('.body-text', { hasText: 'With a text' }).waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Assignee', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await sheetShown(rig)
  assert.equal(await sendShown(rig), { type: 'card.update', cardId: id, assignee: null })
})

boardTest('the form has the focus as soon as it is there, so that it takes none from a field later', async (rig) => {
  const { page } = rig
  await opened(rig, 'With a form')
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const form = document.querySelector('form.edit-card')
      if (form === null) return
      observer.disconnect()
      form.setAttribute('data-focused', String(form.contains(document.activeElement)))
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.getByRole('button', { name: 'Edit' }).click()
  assert.is(await page.locator('form.edit-card[data-focused]').getAttribute('data-focused'), 'true')
})

boardTest('changes of another user while the form is open are kept', async (rig) => {
  const { page, grace, enter } = rig
  const id = await opened(rig, 'Edited by two')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Edited by two, and named anew')
  await enter(grace, { type: 'card.update', cardId: id, priority: 3, assignee: 'Grace' })
  await cardIn(rig, 'Edited by two').locator('text=Grace').first().waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await sheetShown(rig)
  const title = 'Edited by two, and named anew'
  assert.equal(await sendShown(rig), { type: 'card.update', cardId: id, title })
  const { cards } = await until(rig, 'the edit', (project) => project.cards[id]!.title === title)
  assert.equal([cards[id]!.priority, cards[id]!.assignee], [3, 'Grace'])
})

boardTest('a label is added and removed, and the column is chosen from a list', async (rig) => {
  const { page, columns } = rig
  const id = await opened(rig, 'To be labelled')
  await page.getByLabel('Add a label').fill('urgent')
  await page.keyboard.press('Enter')
  await sheetShown(rig)
  assert.is((await sendShown(rig))['type'], 'label.add')
  await cardIn(rig, 'To be labelled').locator('.label', { hasText: 'urgent' }).waitFor()
  await page.getByRole('button', { name: 'Remove the label urgent' }).click()
  await sheetShown(rig)
  assert.is((await sendShown(rig))['type'], 'label.remove')
  await until(rig, 'the label', ({ cards }) => cards[id]!.labels.length === 0)

  await page.getByLabel('Column', { exact: true }).selectOption(columns[2]!)
  await sheetShown(rig)
  assert.is((await sendShown(rig))['columnId'], columns[2])
  await laneOf(rig, 'Done').locator('.card', { hasText: 'To be labelled' }).waitFor()
})

boardTest('a comment is written and shown with its author', async (rig) => {
  const { page } = rig
  await opened(rig, 'To be commented on')
  await page.getByLabel('Write a comment').fill('Looks good to me')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await sheetShown(rig)
  assert.is((await sendShown(rig))['type'], 'comment.add')
  const comment = page.locator('.comments li')
  await comment.getByText('Looks good to me').waitFor()
  await comment.getByText('Ada’s laptop').waitFor()
  assert.is(await page.getByLabel('Write a comment').inputValue(), '')
})

boardTest('a card is archived with a key, leaves the board, and is restored on its page', async (rig) => {
  const { page } = rig
  const id = await rig.card('To be archived')
  await cardIn(rig, 'To be archived').focus()
  await page.keyboard.press('a')
  await sheetShown(rig)
  assert.equal(await sendShown(rig), { type: 'card.archive', cardId: id })
  await cardIn(rig, 'To be archived').waitFor({ state: 'detached' })
  await rig.open(id)
  await page.getByRole('button', { name: 'Restore' }).click()
  await sheetShown(rig)
  assert.equal(await sendShown(rig), { type: 'card.restore', cardId: id })
  await cardIn(rig, 'To be archived').waitFor()
})

boardTest('a claim is renewed by its holder, and taken over by another device', async (rig) => {
  const { page } = rig
  const mine = await opened(rig, 'Held by Ada')
  await page.getByRole('button', { name: 'Claim', exact: true }).click()
  await sheetShown(rig)
  await sendShown(rig)
  await page.getByRole('button', { name: 'Renew the claim' }).click()
  await sheetShown(rig)
  assert.is((await sendShown(rig))['type'], 'claim.renew')
  await until(rig, 'the renewed claim', ({ cards }) => cards[mine]!.claim !== null)

  const theirs = await rig.card('Held by Grace')
  const claimId = randomUUID()
  await rig.enter(rig.grace, { type: 'claim.acquire', claimId, cardId: theirs, agent: null, leaseMs: 600_000 })
  await rig.open(theirs)
  await page.getByRole('button', { name: 'Take over' }).click()
  await sheetShown(rig)
  assert.is((await sendShown(rig))['type'], 'claim.force')
  const { claims, cards } = await until(rig, 'the new holder', (project) => project.cards[theirs]!.claim !== claimId)
  assert.is(claims[cards[theirs]!.claim!]!.deviceId, rig.ada.keyId)
})

boardTest('a board is added with its columns, and selected', async (rig) => {
  const { page } = rig
  await page.getByRole('button', { name: 'New board' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Release 2')
  await page.getByRole('dialog').getByLabel('Columns').fill('Ideas, , Plans')
  await page.getByRole('button', { name: 'Add the board' }).click()
  await sheetShown(rig)
  assert.is((await sendShown(rig))['type'], 'board.create')
  await laneOf(rig, 'Ideas').waitFor()
  await laneOf(rig, 'Plans').waitFor()
  assert.is(await page.locator('.lane').count(), 2)
})

boardTest('a long press starts to drag a card, and a short press scrolls', async (rig) => {
  const { page, columns } = rig
  const id = await rig.card('Dragged by a finger')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    ...points: { x: number; y: number }[]
  ): Promise<unknown> => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  const box = (await cardIn(rig, 'Dragged by a finger').boundingBox())!
  const from = { x: box.x + 40, y: box.y + 15 }
  await touch('touchStart', from)
  await touch('touchMove', { x: from.x, y: from.y + 60 })
  await touch('touchEnd')
  assert.is(await page.locator('.card-ghost').count(), 0, 'a finger that moves at once drags nothing')

  const target = (await laneOf(rig, 'Doing').boundingBox())!
  const again = (await cardIn(rig, 'Dragged by a finger').boundingBox())!
  const start = { x: again.x + 40, y: again.y + 15 }
  await touch('touchStart', start)
  await page.waitForSelector('.card-ghost')
  for (const share of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', {
      x: start.x + share * (target.x + 100 - start.x),
      y: start.y + share * (target.y + 120 - start.y),
    })
  await page.waitForSelector('.lane-mark')
  await touch('touchEnd')
  await sheetShown(rig)
  assert.equal((await sendShown(rig))['columnId'], columns[1])
  await until(rig, 'the move', ({ cards }) => cards[id]!.place!.columnId === columns[1])
  await cdp.detach()
})

test.run()
