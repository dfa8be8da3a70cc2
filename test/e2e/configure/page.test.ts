/** The page of `svc-build configure` in a browser, with the keyboard alone. */
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { browserless, launchBrowser } from '../../support/pages.ts'
import { testUnless } from '../../support/skip.ts'
import { isWiderThan, violationsIn } from '../console/pages.ts'
import { sendTo } from '../console/rig.ts'
import { type Configured, createConfigured, PATIENCE_MS } from './rig.ts'

const test = suite('svc-build configure --page')

/** The browser of this file. Each test has a context of its own in it. */
let browser: Browser | undefined
test.before(async () => {
  if (browserless === undefined) browser = await launchBrowser()
})
test.after(async () => browser?.close())

interface Opened {
  readonly page: Page
  readonly faults: readonly string[]
  close(): Promise<void>
}

async function open(rig: Configured): Promise<Opened> {
  const child = rig.start('--page')
  const [address] = await child.waitFor(/http:\/\/127\.0\.0\.1:\d+\/enter\?code=[\w-]+/, PATIENCE_MS)
  const context = await browser!.newContext({ viewport: { width: 1_280, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
  await page.goto(address)
  await page.getByRole('heading', { level: 1, name: /^Configure / }).waitFor()
  return {
    page,
    faults,
    close: async () => {
      await context.close()
      await child.stop('SIGINT')
    },
  }
}

/** Holds back the answers to requests of a path, one after the other. */
async function heldAnswers(page: Page, path: `**/${string}`) {
  const held: (() => Promise<void>)[] = []
  await page.route(path, async (route) => {
    const response = await route.fetch()
    held.push(() => route.fulfill({ response }))
  })
  return {
    untilHeld: () => until('an answer is held back', () => held.length > 0, 60_000),
    release: async () => held.shift()!(),
    end: () => page.unroute(path),
  }
}

/** Moves the focus with Tab until it is on an element. */
async function tabTo(page: Page, role: 'checkbox' | 'button' | 'combobox', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true })
  for (let presses = 0; presses < 400; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach the ${role} "${name}"`)
}

testUnless(test, browserless, 'with keys alone: search, switch on, look at what comes along, save', async () => {
  const rig = createConfigured('configured-page')
  const opened = await open(rig)
  const { page } = opened
  try {
    const status = page.getByRole('status')
    assert.equal(await violationsIn(page), [])
    await page.keyboard.press('/')
    assert.is(
      await page.getByRole('searchbox', { name: 'Search features' }).evaluate((box) => box === document.activeElement),
      true,
    )
    await page.keyboard.type('unix')
    await page.getByText(/^Features, \d of \d on$/).waitFor()
    await tabTo(page, 'checkbox', 'transport.unix')
    await page.keyboard.press('Space')
    await status.filter({ hasText: /^on: transport\.unix \(program\)/ }).waitFor()
    assert.match((await status.textContent())!, /no conflicts$/)
    assert.is(await page.getByRole('checkbox', { name: 'transport.unix' }).isChecked(), true)
    await page.keyboard.press('u')
    assert.is(
      await page.getByRole('checkbox', { name: 'transport.unix' }).isChecked(),
      true,
      'no shortcut while a box has the focus',
    )
    await page.getByRole('searchbox').fill('')
    await tabTo(page, 'checkbox', 'edge.greeter')
    await page.keyboard.press('Space')
    await status.filter({ hasText: /^off: edge\.greeter/ }).waitFor()
    await tabTo(page, 'checkbox', 'kbd.mcp')
    await page.keyboard.press('Space')
    await status.filter({ hasText: /comes along: .*kbd\.engine/ }).waitFor()
    await page.keyboard.press('Space')
    await status.filter({ hasText: /goes along: .*kbd\.engine/ }).waitFor()
    await page.getByRole('button', { name: 'Save…' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save edge.ts' })
    await dialog.waitFor({ timeout: PATIENCE_MS })
    assert.match(
      (await dialog.getByRole('region', { name: 'Difference' }).textContent())!,
      /^\+ .*'transport\.unix': true/m,
    )
    assert.equal(await violationsIn(page), [])
    await tabTo(page, 'button', 'Write the file')
    await page.keyboard.press('Enter')
    await status.filter({ hasText: /^saved edge\.ts/ }).waitFor()
    const { main, library } = await rig.planned()
    assert.ok(
      main!.includes('transport.unix') && !library!.includes('transport.unix') && !main!.includes('edge.greeter'),
    )
    assert.match(rig.text(), /^\/\/ A profile with a comment\.$/m)
    // What was measured for saving is shown as measured.
    assert.is(await page.getByText('measured', { exact: true }).count(), 2)
    assert.equal(opened.faults, [])
  } finally {
    await opened.close()
  }
})

testUnless(test, browserless, 'conflicts and variants; nothing is cut off at 390 px and at 200 %', async () => {
  const rig = createConfigured('configured-wide')
  const opened = await open(rig)
  const { page } = opened
  try {
    await page.getByRole('combobox', { name: 'Variant of auth.guard in the program' }).selectOption('web')
    await page
      .getByRole('status')
      .filter({ hasText: /^on: auth\.guard=web \(program\)/ })
      .waitFor()
    const boxes = ['auth.keys-sqlite', 'cluster.postgres'].map((name) => page.getByRole('checkbox', { name }))
    const answers = await heldAnswers(page, '**/change')
    for (const box of boxes) await box.click()
    for (const change of ['the first', 'the second']) {
      await answers.untilHeld()
      for (const box of boxes) assert.ok(await box.isChecked(), `before ${change} answer`)
      await answers.release()
    }
    await answers.end()
    await page
      .getByRole('status')
      .filter({ hasText: /^on: cluster\.postgres/ })
      .waitFor()
    for (const box of boxes) assert.ok(await box.isChecked())
    await page.getByRole('heading', { name: 'Conflicts: a build refuses this choice' }).waitFor()
    await page.getByText('auth.keys-sqlite conflicts with cluster.postgres').first().waitFor()
    await page.getByText('Details of edge.quote').click()
    await page.getByText('runtime GET /edge/quote').waitFor()
    await page.getByText('edge.answer').waitFor()
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be bundled' }).waitFor()
    assert.equal(await violationsIn(page), [])
    assert.is(await isWiderThan(page, 390), false)
    // 1280 px at 200 % have the room of 640 px.
    assert.is(await isWiderThan(page, 640), false)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await violationsIn(page), [])
  } finally {
    await opened.close()
  }
})

testUnless(
  test,
  browserless,
  'a refusal stays until the next click, and only a shown difference is written',
  async () => {
    const rig = createConfigured('configured-queue')
    const opened = await open(rig)
    const { page } = opened
    try {
      for (const name of ['auth.keys-sqlite', 'cluster.postgres']) await page.getByRole('checkbox', { name }).click()
      await page.getByRole('heading', { name: 'Conflicts: a build refuses this choice' }).waitFor()
      const unix = page.getByRole('checkbox', { name: 'transport.unix' })
      const changes = await heldAnswers(page, '**/change')

      // A choice with conflicts cannot be measured. The next change waits for this answer.
      await page.getByRole('button', { name: 'Measure' }).click()
      await unix.click()
      await changes.untilHeld()
      await changes.release()
      const refusal = page.getByRole('alert').filter({ hasText: 'cannot be bundled' })
      await refusal.waitFor()
      await changes.untilHeld()
      await changes.release()
      await page
        .getByRole('status')
        .filter({ hasText: /^on: transport\.unix/ })
        .waitFor()
      assert.ok(await refusal.isVisible(), 'the refusal is shown after the answer to the next change')
      await page.getByRole('button', { name: 'Undo' }).click()
      await changes.untilHeld()
      await changes.release()
      await refusal.waitFor({ state: 'detached' })

      // Between two differences is a change. The first difference is shown when the file is to be written.
      const before = rig.text()
      const plans = await heldAnswers(page, '**/plan')
      const askForDifference = async (): Promise<void> => {
        // A checkbox with the focus keeps the keys.
        await page.locator('#view').focus()
        await page.keyboard.press('s')
      }
      await askForDifference()
      await plans.untilHeld()
      await unix.click()
      await askForDifference()
      await plans.release()
      const dialog = page.getByRole('dialog', { name: 'Save edge.ts' })
      const difference = dialog.getByRole('region', { name: 'Difference' })
      assert.not.match((await difference.textContent())!, /transport\.unix/)
      await changes.untilHeld()
      await dialog.getByRole('button', { name: 'Write the file' }).click()
      await changes.release()
      await plans.untilHeld()
      await plans.release()
      await page.getByText('The choice has changed since the difference was shown').waitFor()
      assert.match((await difference.textContent())!, /transport\.unix/)
      assert.is(rig.text(), before, 'the second difference was not shown')
      assert.equal(opened.faults, [])
    } finally {
      await opened.close()
    }
  },
)

test('only who has the address gets in, and the server changes nothing for a foreign page', async () => {
  const rig = createConfigured('configured-entry')
  const child = rig.start('--page')
  const [address] = await child.waitFor(/http:\/\/127\.0\.0\.1:\d+\/enter\?code=[\w-]+/, PATIENCE_MS)
  const { port, origin } = new URL(address)
  const send = (path: string, sent: Parameters<typeof sendTo>[2]) =>
    sendTo(Number(port), path, { ...sent, headers: { host: `127.0.0.1:${port}`, ...sent.headers } })
  assert.is((await send('/', {})).status, 401)
  assert.is((await send('/enter?code=guess', {})).status, 403)
  const entered = await send(address.slice(origin.length), {})
  const folder = entered.headers.location!
  const cookie = entered.headers['set-cookie']![0]!.split(';', 1)[0]!
  assert.is((await send(address.slice(origin.length), {})).status, 403, 'the address works once')
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send(`${folder}console/change`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  assert.is((await post({ do: 'off', id: 'edge.quote' }, { origin: 'http://evil.example' })).status, 403)
  assert.is((await post({ do: 'off', id: 'edge.quote' }, { cookie: 'x=y' })).status, 401)
  const unknown = await post({ do: 'on', id: 'no.such' })
  assert.equal([unknown.status, unknown.json().error?.code], [409, 'ERR_TOOL_UNKNOWN'])
  assert.is((await post({ do: 'fly' })).status, 400)
  const state = (await send(`${folder}console/state`, { headers: { cookie } })).json()
  assert.equal([state['isChanged'], state['file']], [false, 'edge.ts'])
  const stale = await send(`${folder}console/save`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: '{"id":"none"}',
  })
  assert.is(stale.status, 409)
  await child.stop('SIGINT')
})

test.run()
