/** Boards in the page of the console, with pointer and keyboard, on the shipped program. */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { boardTest, cardIn, laneOf, sendShown, sheetShown, until } from './board-steps.ts'

boardTest(
  'to add a card the command is shown with its signer before it is sent, and then the board shows the card',
  async (rig) => {
    const { page, columns } = rig
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByLabel('Title').fill('Write the notes')
    await page.getByRole('dialog').getByLabel('Text').fill('What is new')
    await page.getByRole('dialog').getByLabel('Labels').fill('docs')
    await page.getByRole('button', { name: 'Add the card' }).click()
    await sheetShown(rig)
    assert.match(await page.locator('.confirm-signer').innerText(), 'Ada’s laptop')
    assert.not.match(await page.getByRole('dialog').innerText(), /[0-9a-f]{8}-[0-9a-f]{4}-/, 'no id is shown')
    await page.getByText('What is signed, as JSON').click()
    await page.getByText('The whole envelope, with its signature').first().click()
    assert.match(await page.locator('dialog .command-json').nth(1).innerText(), rig.ada.keyId)
    assert.is(Object.keys((await rig.project()).cards).length, 0, 'nothing is sent before the user confirms')
    const shown = await sendShown(rig)
    assert.equal([shown['type'], shown['title'], shown['columnId']], ['card.create', 'Write the notes', columns[0]])
    await cardIn(rig, 'Write the notes').locator('.label', { hasText: 'docs' }).waitFor()
  },
)

boardTest('a sheet that is cancelled sends nothing', async (rig) => {
  const id = await rig.card('Stays as it is')
  await cardIn(rig, 'Stays as it is').focus()
  await rig.page.keyboard.press('a')
  await rig.page.getByRole('button', { name: 'Cancel' }).click()
  await rig.page.locator('dialog').waitFor({ state: 'detached' })
  assert.is((await rig.project()).cards[id]!.archived, false)
})

boardTest('a card is moved by dragging', async (rig) => {
  const { page, columns } = rig
  const id = await rig.card('Dragged to Doing')
  const from = (await cardIn(rig, 'Dragged to Doing').boundingBox())!
  const to = (await laneOf(rig, 'Doing').boundingBox())!
  await page.mouse.move(from.x + 40, from.y + 15)
  await page.mouse.down()
  await page.mouse.move(from.x + 80, from.y + 40, { steps: 4 })
  await page.mouse.move(to.x + 100, to.y + 120, { steps: 8 })
  await page.waitForSelector('.lane-mark')
  await page.mouse.up()
  await sheetShown(rig)
  await laneOf(rig, 'Doing').locator('.card', { hasText: 'Dragged to Doing' }).waitFor()
  assert.is((await sendShown(rig))['type'], 'card.move')
  await until(rig, 'the move', ({ cards }) => cards[id]!.place!.columnId === columns[1])
})

boardTest('a card is selected and moved with the keyboard, and keeps the focus', async (rig) => {
  const { page, columns } = rig
  const id = await rig.card('Moved by keys', 1)
  await cardIn(rig, 'Moved by keys').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await sheetShown(rig)
  await sendShown(rig)
  await until(rig, 'the move', ({ cards }) => cards[id]!.place!.columnId === columns[2])
  await laneOf(rig, 'Done').locator('.card', { hasText: 'Moved by keys' }).waitFor()
  await page.waitForFunction((card) => document.activeElement?.getAttribute('data-card') === card, id)
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Card' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Card' }).waitFor({ state: 'detached' })
})

boardTest('a card is claimed and released with keys, and the holder and the remaining time are shown', async (rig) => {
  const { page } = rig
  const id = await rig.card('To be claimed')
  await cardIn(rig, 'To be claimed').focus()
  await page.keyboard.press('c')
  await sheetShown(rig)
  assert.is((await sendShown(rig))['type'], 'claim.acquire')
  const holder = cardIn(rig, 'To be claimed').locator('.holder')
  // The name of a device is loaded after the board.
  await holder.getByText('Ada’s laptop').waitFor()
  assert.match(await holder.innerText(), /Ada’s laptop\s+(30:00|2[5-9]:\d\d)/)
  await cardIn(rig, 'To be claimed').focus()
  await page.keyboard.press('r')
  await sheetShown(rig)
  await sendShown(rig)
  await until(rig, 'the release', ({ cards }) => cards[id]!.claim === null)
})

boardTest('a refusal is shown with the text of the service', async (rig) => {
  const id = await rig.card('Held by Grace')
  await rig.enter(rig.grace, {
    type: 'claim.acquire',
    claimId: randomUUID(),
    cardId: id,
    agent: null,
    leaseMs: 600_000,
  })
  await cardIn(rig, 'Held by Grace').locator('.holder').waitFor()
  await cardIn(rig, 'Held by Grace').focus()
  await rig.page.keyboard.press('c')
  await sheetShown(rig)
  await sendShown(rig)
  assert.match(await rig.page.getByRole('alert').innerText(), /409 claim_held/)
})

boardTest('a conflict is announced, its candidates are shown side by side, and one of them is kept', async (rig) => {
  const { page, ada, grace } = rig
  const id = await rig.card('Before the conflict')
  const { heads } = (await rig.project()).frontier
  await rig.enter(ada, { type: 'card.update', cardId: id, title: 'As Ada says' }, heads)
  await rig.enter(grace, { type: 'card.update', cardId: id, title: 'As Grace says' }, heads)
  await page.getByRole('button', { name: 'Look' }).click()
  const candidate = page.locator('.candidates li', { hasText: 'As Grace says' })
  assert.match(await candidate.innerText(), /Grace, phone/)
  await candidate.getByRole('button', { name: 'Keep this one' }).click()
  await sheetShown(rig)
  await page.getByRole('button', { name: 'Sign and send' }).click()
  const project = await until(rig, 'the end of the conflict', ({ conflicts }) => Object.keys(conflicts).length === 0)
  assert.is(project.cards[id]!.title, 'As Grace says')
})

boardTest('the page computes the verified mark: a command that was changed in transit is not verified', async (rig) => {
  const { page } = rig
  const id = await rig.card('Signed by Ada')
  await rig.enter(rig.ada, { type: 'label.add', cardId: id, name: 'true' })
  await rig.visit(`/boards/demo?card=${id}`)
  await page.locator('.history .badge').nth(1).waitFor()
  assert.equal(await page.locator('.history .badge').allInnerTexts(), ['verified', 'verified'])
  await page.route('**/commands?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"name":"true"', '"name":"false"') })
  })
  await page.reload()
  await page.locator('.history .badge').nth(1).waitFor()
  assert.equal(await page.locator('.history .badge').allInnerTexts(), ['not verified', 'verified'])
  await page.unroute('**/commands?*')
})

boardTest('the search finds words in texts, and shows the card with a snippet', async (rig) => {
  const { page } = rig
  await rig.card('A title with nothing', 0, {
    bodyHash: await rig.keep('Somewhere in the text stands zanzibar, alone.'),
  })
  await page.keyboard.press('/')
  await page.keyboard.type('zanzibar')
  await page.locator('.hits a', { hasText: 'zanzibar' }).waitFor()
  await cardIn(rig, 'A title with nothing').waitFor()
  assert.is(await page.locator('.card').count(), 1)
})

boardTest('hostile texts run no code and do not break the layout', async (rig) => {
  const { page } = rig
  const evil = `<img src=x onerror="window.ran=1">\u202e${'W'.repeat(900)}`
  const bodyHash = await rig.keep(`<script>window.ran=1</script>${'\u202e'.repeat(9)}${'w'.repeat(65_536)}`)
  const id = await rig.card(evil, 2, { bodyHash, assignee: '"><svg onload="window.ran=1">' })
  await rig.enter(rig.ada, { type: 'label.add', cardId: id, name: '<b>\u202e bold' })
  await cardIn(rig, '\\u{202e}').first().click()
  await page.locator('.body-text', { hasText: 'window.ran' }).waitFor()
  for (const width of [1_280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    assert.is(await page.evaluate(() => document.documentElement.scrollWidth), width)
  }
  await page.setViewportSize({ width: 1_280, height: 800 })
  assert.is(await page.evaluate(() => (window as unknown as { ran?: number }).ran), undefined)
})

test.run()
