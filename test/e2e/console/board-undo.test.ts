/**
 * Boards as they are worked in: changes at once with an undo, filters in the address, the archive, texts, several
 * conflicts.
 */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { boardTest, cardIn, laneOf, until } from './board-steps.ts'
import type { BoardRig } from './boards-rig.ts'
import { violationsIn } from './pages.ts'

/** Leaves the choice that changes are sent at once, which is that of a new reader. */
async function atOnce({ page }: BoardRig): Promise<void> {
  await page.getByRole('checkbox', { name: 'Ask before each change' }).uncheck()
}

boardTest(
  'a move is signed and sent at once, says what it was, and Ctrl Z takes it back by a new command',
  async (rig) => {
    const { page, columns } = rig
    await atOnce(rig)
    const id = await rig.card('Moved and taken back')
    await cardIn(rig, 'Moved and taken back').focus()
    await page.keyboard.press('Shift+ArrowRight')
    const said = page.getByRole('status').filter({ hasText: 'Signed and sent' })
    assert.match(await said.innerText(), /Move “Moved and taken back” from To do to Doing/)
    const { revision } = await until(rig, 'the move', ({ cards }) => cards[id]!.place!.columnId === columns[1])
    assert.is(await page.getByRole('dialog').count(), 0, 'nothing was asked')
    await page.keyboard.press('Control+z')
    const undone = await until(rig, 'the undo', ({ cards }) => cards[id]!.place!.columnId === columns[0])
    assert.is(undone.revision, revision + 1, 'the undo is a command of its own')
    await laneOf(rig, 'To do').locator('.card', { hasText: 'Moved and taken back' }).waitFor()
    await said.waitFor({ state: 'detached' })
  },
)

boardTest('an undo overwrites no later change of another device', async (rig) => {
  const { page } = rig
  await atOnce(rig)
  const id = await rig.card('Archived here, restored there')
  await cardIn(rig, 'Archived here').focus()
  await page.keyboard.press('a')
  await until(rig, 'the archive', ({ cards }) => cards[id]!.archived === true)
  await page.getByRole('button', { name: /^Undo/ }).waitFor()
  await rig.enter(rig.grace, { type: 'card.restore', cardId: id })
  await cardIn(rig, 'Archived here').waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await page.getByRole('alert').getByText('This has been changed again since.').waitFor()
})

boardTest(
  'what has no inverse asks first: a comment is redacted after a question, and its text is gone',
  async (rig) => {
    const { page } = rig
    await atOnce(rig)
    const id = await rig.card('With a comment')
    const bodyHash = await rig.keep('To be redacted')
    await rig.enter(rig.ada, { type: 'comment.add', commentId: randomUUID(), cardId: id, bodyHash })
    await rig.open(id)
    const comment = page.locator('.comments li')
    await comment.getByText('To be redacted').waitFor()
    await comment.getByRole('button', { name: 'Redact' }).click()
    await page.getByRole('dialog').getByText('Redact a comment').waitFor()
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await comment.getByText('Redacted').waitFor()
    assert.is(await page.getByRole('button', { name: /^Undo/ }).count(), 0)
  },
)

boardTest(
  'filters by label and holder are in the address, stay with a card, and say when nothing matches',
  async (rig) => {
    const { page } = rig
    const id = await rig.card('Only with a label')
    const other = await rig.card('Held by Grace alone')
    await rig.enter(rig.ada, { type: 'label.add', cardId: id, name: 'needle' })
    await rig.enter(rig.grace, {
      type: 'claim.acquire',
      claimId: randomUUID(),
      cardId: other,
      agent: null,
      leaseMs: 600_000,
    })
    await page.getByRole('combobox', { name: 'Filter by label' }).selectOption('needle')
    await cardIn(rig, 'Held by Grace alone').waitFor({ state: 'detached' })
    await cardIn(rig, 'Only with a label').click()
    await page.getByRole('complementary', { name: 'Card' }).waitFor()
    const { searchParams } = new URL(page.url())
    assert.equal([searchParams.get('label'), searchParams.get('card')], ['needle', id])
    await page.reload()
    await page.getByRole('combobox', { name: 'Filter by holder' }).selectOption({ label: 'Grace, phone' })
    await page.getByText('Nothing found here').first().waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await cardIn(rig, 'Held by Grace alone').waitFor()
    assert.is(new URL(page.url()).searchParams.get('label'), null)
  },
)

boardTest('a new card that is refused keeps what was typed, and says why', async (rig) => {
  const { page } = rig
  await atOnce(rig)
  await page.getByRole('button', { name: 'New card' }).click()
  const form = page.getByRole('dialog', { name: 'New card' })
  await form.getByLabel('Title').fill('Typed once')
  await form.getByLabel('Labels').fill('docs')
  await form.getByLabel('Text').fill('x'.repeat(300_000))
  await form.getByRole('button', { name: 'Add the card' }).click()
  await form.getByRole('alert').waitFor()
  assert.is(await form.getByLabel('Title').inputValue(), 'Typed once')
  assert.is(await form.getByLabel('Labels').inputValue(), 'docs')
  const titles = Object.values((await rig.project()).cards).map(({ title }) => title)
  assert.not(titles.includes('Typed once'), 'nothing was entered')
  await form.getByLabel('Text').fill('short')
  await form.getByRole('button', { name: 'Add the card' }).click()
  await cardIn(rig, 'Typed once').waitFor()
  await form.waitFor({ state: 'detached' })
})

boardTest(
  'a new card of which a part is refused is not added twice: its form closes, and the page says why',
  async (rig) => {
    const { page } = rig
    await atOnce(rig)
    await page.getByRole('button', { name: 'New card' }).click()
    const form = page.getByRole('dialog', { name: 'New card' })
    await form.getByLabel('Title').fill('With a bad label')
    await form.getByLabel('Labels').fill('x'.repeat(5_000))
    await form.getByRole('button', { name: 'Add the card' }).click()
    await page.getByRole('alert').waitFor()
    await form.waitFor({ state: 'detached' })
    await cardIn(rig, 'With a bad label').waitFor()
  },
)

boardTest('a text that this node does not have is not edited, and stays with the card', async (rig) => {
  const { page } = rig
  await atOnce(rig)
  const bodyHash = 'ab'.repeat(32)
  const id = await rig.card('Text elsewhere', 0, { bodyHash })
  await rig.open(id)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.locator('.edit-card')
  assert.ok(await form.getByLabel('Text').isDisabled())
  assert.match(await form.getByLabel('Text').inputValue(), /^This node does not have the text\./)
  await form.getByLabel('Title').fill('Text still elsewhere')
  await form.getByRole('button', { name: 'Save' }).click()
  const { cards } = await until(rig, 'the title', (project) => project.cards[id]!.title === 'Text still elsewhere')
  assert.is(cards[id]!.bodyHash, bodyHash)
})

boardTest('another value of a text that this node does not have is refused', async (rig) => {
  const { page } = rig
  const id = await rig.card('Two texts elsewhere')
  const { heads } = (await rig.project()).frontier
  for (const [key, of] of [
    [rig.ada, 'cd'],
    [rig.grace, 'ef'],
  ] as const)
    await rig.enter(key, { type: 'card.update', cardId: id, bodyHash: of.repeat(32) }, heads)
  await rig.open(id)
  await page.getByRole('button', { name: 'Another value' }).click()
  await page.getByRole('alert').getByText('This node does not have the text.').waitFor()
  assert.is(await page.locator('.own-value').count(), 0)
  await rig.enter(rig.ada, { type: 'card.update', cardId: id, bodyHash: null })
  await until(rig, 'the end of the conflict', ({ conflicts }) => Object.keys(conflicts).length === 0)
})

boardTest('the archive is searched, and restores a card', async (rig) => {
  const { page } = rig
  await atOnce(rig)
  const id = await rig.card('Forgotten for good')
  await rig.enter(rig.ada, { type: 'card.archive', cardId: id })
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Archive' })
  await dialog.getByRole('searchbox').fill('nothing of this name')
  await dialog.getByText('Nothing in the archive matches.').waitFor()
  await dialog.getByRole('searchbox').fill('forgotten')
  await dialog.getByRole('button', { name: 'Restore Forgotten for good' }).click()
  await until(rig, 'the restored card', ({ cards }) => cards[id]!.archived === false)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await cardIn(rig, 'Forgotten for good').waitFor()
})

boardTest('a text is a safe subset of Markdown: no HTML, no foreign image, no script in a link', async (rig) => {
  const { page } = rig
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const text = [
    '# A heading\n\nWith **strong** and [a site](https://svc.example/a) and [mail](mailto:a@svc.example).',
    '- [x] done\n- [ ] to do',
    '[one](javascript:window.ran=1) [two](JaVaScRiPt:window.ran=1) [three](data:text/html,<script>window.ran=1</script>)',
    '[four](vbscript:x) [five](//evil.example) [six](/boards) <javascript:window.ran=1> [ref]\n\n[ref]: javascript:window.ran=1',
    '<img src=x onerror="window.ran=1"><a href="javascript:window.ran=1">seven</a>',
    '![a picture](https://evil.example/x.png) ![eight](javascript:window.ran=1)',
    '| a | b |\n|---|---|\n| <script>window.ran=1</script> | `\u202ecode` |',
    'A text of more characters than are shown at first. '.repeat(100),
    // Deeper than what is drawn, and not as deep as the next test.
    `${'> '.repeat(200)}deep`,
  ].join('\n\n')
  const id = await rig.card('With Markdown', 1, { bodyHash: await rig.keep(text) })
  await rig.visit(`/boards/demo?card=${id}`)
  const body = page.locator('.body-text')
  await body.getByRole('heading', { name: 'A heading' }).waitFor()
  await body.getByRole('button', { name: /^Show all/ }).click()
  await body.getByText('deep').waitFor()
  const links = await body
    .locator('a')
    .evaluateAll((all) =>
      all.map((link) => [link.getAttribute('href'), link.getAttribute('rel'), link.getAttribute('target')]),
    )
  const addresses = links.map(([href]) => href)
  assert.equal(addresses, ['https://svc.example/a', 'mailto:a@svc.example', 'https://evil.example/x.png'])
  for (const link of links) assert.equal(link.slice(1), ['noopener noreferrer', '_blank'])
  assert.is(await body.locator('img, script, iframe, style, [onerror]').count(), 0)
  assert.is(await page.evaluate(() => (window as unknown as { ran?: number }).ran), undefined)
  assert.equal(
    requests.filter((url) => !url.startsWith(new URL(page.url()).origin)),
    [],
  )
  assert.match(await body.innerText(), /\\u\{202e\}code/)
  assert.equal(await violationsIn(page), [])
})

boardTest('a text that is nested more deeply than the parser takes is shown as it is written', async (rig) => {
  const { page } = rig
  const id = await rig.card('Nested', 1, { bodyHash: await rig.keep(`${'> '.repeat(9_000)}deep`) })
  await rig.open(id)
  const body = page.locator('.body-text')
  await body.getByRole('button', { name: /^Show all/ }).click()
  await body.locator('.md-plain', { hasText: 'deep' }).waitFor()
  await page.getByRole('complementary', { name: 'Card' }).getByRole('heading', { name: 'Nested' }).waitFor()
})

boardTest('all conflicts of a card are resolved together, one of them with a value of the reader', async (rig) => {
  const { page, ada, grace } = rig
  const id = await rig.card('Contested')
  const { heads } = (await rig.project()).frontier
  const texts = [await rig.keep('The quick brown fox'), await rig.keep('The quick red fox')] as const
  await rig.enter(ada, { type: 'card.update', cardId: id, title: 'From Ada', bodyHash: texts[0], priority: 1 }, heads)
  await rig.enter(
    grace,
    { type: 'card.update', cardId: id, title: 'From Grace', bodyHash: texts[1], priority: 2 },
    heads,
  )
  await rig.open(id)
  const conflicts = page.getByRole('region', { name: 'Conflicts' })
  await conflicts.getByText('brown', { exact: true }).waitFor()
  assert.equal(
    await conflicts
      .locator('mark')
      .allInnerTexts()
      .then((all) => all.sort()),
    ['Ada', 'Grace', 'brown', 'red'],
  )
  const keep = (text: string) =>
    conflicts.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Keep this one' }).click()
  await keep('The quick red fox')
  await keep('1, high')
  const title = conflicts.locator('.conflict').filter({ hasText: 'From Grace' })
  await title.getByRole('button', { name: 'Another value' }).click()
  await title.getByLabel('Another title').fill('From both')
  await title.getByRole('button', { name: 'Use this value' }).click()
  await page.getByRole('button', { name: 'Resolve 3 of 3 conflicts' }).click()
  const sheet = page.getByRole('dialog')
  assert.match(await sheet.innerText(), /Keep\s+From both/)
  await sheet.getByRole('button', { name: 'Sign and send' }).click()
  const { cards } = await until(rig, 'the resolutions', (project) => Object.keys(project.conflicts).length === 0)
  assert.equal([cards[id]!.title, cards[id]!.bodyHash, cards[id]!.priority], ['From both', texts[1], 1])
})

boardTest('the summary counts, names the cards in conflict and the last change', async (rig) => {
  const { page } = rig
  const id = await rig.card('Last of all')
  await rig.enter(rig.grace, { type: 'label.add', cardId: id, name: 'final' })
  await page.getByRole('link', { name: 'demo', exact: true }).click()
  const main = page.getByRole('main')
  await main.getByText('Add the label final to “Last of all”').waitFor()
  assert.match(await main.innerText(), /Last change\s+Add the label final to “Last of all”\s+Grace, phone/)
  assert.match(await main.innerText(), /Conflicts\s+none/)
  assert.equal(await violationsIn(page), [])
})

boardTest('the palette goes to a card, and copies a command', async (rig) => {
  const { page } = rig
  await rig.card('Found by the palette')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Views, runs, cards, pushes and commands' })
  await field.fill('found by the')
  await page.getByRole('option', { name: /Found by the palette/ }).waitFor()
  assert.equal(await violationsIn(page), [])
  await field.press('Enter')
  await page
    .getByRole('complementary', { name: 'Card' })
    .getByRole('heading', { name: 'Found by the palette' })
    .waitFor()
  await page.keyboard.press('Control+k')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await field.fill('audit verify')
  await field.press('Enter')
  await page.getByText(/^Copied: svc audit verify/).waitFor()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^svc audit verify/)
})

test.run()
