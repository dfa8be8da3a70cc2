/** Runs, live events, the build, the API and the overview in the console, as users see them. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { countOf } from '../../support/count.ts'
import {
  answerHeaders,
  callsOf,
  HOSTILE,
  isWiderThan,
  openConsole,
  pageTest,
  startPageNode,
  violationsIn,
} from './pages.ts'

const MESSAGE = { messageId: 'm1' }

pageTest(
  'a run is shown while it grows: messages stream, tool calls fold, patches are marked, and it can be paused and joined',
  async (browser) => {
    const node = await startPageNode()
    const call = await callsOf(node)
    const append = (...events: readonly object[]): Promise<void> => call('POST', '/api/svc/runs/r1/events', events)
    const console = await openConsole(node, browser)
    const { page } = console
    await console.go('/runs')
    await page.getByText('No runs yet').waitFor()

    await call('POST', '/api/svc/runs', { run_id: 'r1', thread_id: 't1' })
    await page.getByRole('link', { name: /r1/ }).click()
    await append(
      { type: 'RUN_STARTED', threadId: 't1', runId: 'r1' },
      { type: 'STATE_SNAPSHOT', snapshot: { step: 'plan', cards: ['a'] } },
      { type: 'TEXT_MESSAGE_START', ...MESSAGE, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', ...MESSAGE, delta: `Looking. ${HOSTILE}` },
    )
    const messageText = page.locator('.message-text')
    await messageText.getByText('Looking.').waitFor()
    assert.ok((await messageText.innerText()).includes('<script>alert(2)</script>'), 'markup is shown as text')
    assert.ok(
      (await messageText.innerText()).includes('\\u{202e}'),
      'characters that change the text direction are escaped',
    )
    await append({ type: 'TEXT_MESSAGE_CONTENT', ...MESSAGE, delta: ' And found it.' })
    await messageText.getByText('And found it.').waitFor()
    await page.getByText('live', { exact: true }).waitFor()

    await append(
      { type: 'TEXT_MESSAGE_END', ...MESSAGE },
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'board_show' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"project":"demo"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/step', value: 'read' }] },
    )
    const tool = page.locator('.item-tool')
    await tool.getByText('no result').waitFor()
    assert.not.ok(await tool.getByText('Arguments').isVisible(), 'folded at first')
    await tool.locator('summary').click()
    await tool.getByText('Arguments').waitFor()

    await page.getByRole('button', { name: 'replace /step' }).click()
    assert.match(await page.locator('.tree-marked').innerText(), /^step\s*read$/)

    await page.keyboard.press('p')
    await append({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/cards/-', value: 'b' }] })
    await page.getByText('Go on · 1 wait').waitFor()
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'add /cards/-' }).waitFor()

    await page.getByRole('button', { name: 'From a snapshot' }).click()
    await page.getByText('All messages so far').waitFor()
    await append({ type: 'RUN_FINISHED', threadId: 't1', runId: 'r1' })
    await page.getByText('Run finished').waitFor()
    assert.equal(await violationsIn(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await violationsIn(page), [])
    for (const width of [390, 360]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
    assert.equal(console.faults, [])
    await console.close()
    await node.stop()
  },
)

/** The page keeps the last 5 000 of them. */
const MANY = countOf({ quick: 20_000, deep: 100_000 })

pageTest(
  `${MANY} live events are counted, only visible ones are in the document, and a pause loses none`,
  async (browser) => {
    const node = await startPageNode()
    const console = await openConsole(node, browser)
    const { page } = console
    const eventOf = (number: number): string =>
      `data: ${JSON.stringify({ topic: number % 2 ? 'runs' : 'notes', identifier: `id-${number}`, operation: 'update', data: { number } })}\n\n`
    let isFirst = true
    const headers = await answerHeaders(page)
    await page.route('**/runtime/api/live', (route) => {
      // The second attempt stays pending after the first stream has ended.
      if (!isFirst) return
      isFirst = false
      const body = Array.from({ length: MANY }, (_, number) => eventOf(number)).join('')
      return route.fulfill({ status: 200, headers, contentType: 'text/event-stream', body })
    })
    await console.go('/live')
    await page.getByText(`${MANY / 1_000}\u2009000 events`).waitFor()
    const elements = await page.evaluate(() => document.querySelectorAll('*').length)
    assert.ok(elements < 2_000, `${elements} elements`)
    await page.locator('.live-row', { hasText: `id-${MANY - 1}` }).waitFor()
    await page.getByLabel('Filter events').fill(`id-${MANY - 2}`)
    await page.locator('.live-row', { hasText: `id-${MANY - 2}` }).click()
    await page
      .locator('.live-detail')
      .getByText(String(MANY - 2))
      .first()
      .waitFor()
    assert.is(await page.locator('.live-row').count(), 1)
    assert.equal(await violationsIn(page), [])
    await page.unroute('**/runtime/api/live')

    await console.go('/live')
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    const call = await callsOf(node)
    for (const id of ['a', 'b', 'c']) await call('POST', '/api/svc/runs', { run_id: id, thread_id: id })
    await page.getByText('Go on · 3 wait').waitFor()
    await page.getByRole('button', { name: /^Go on/ }).click()
    await page.getByText('3 events').waitFor()
    for (const width of [390, 360]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
    assert.equal(console.faults, [])
    await console.close()
    await node.stop()
  },
)

pageTest(
  'the overview shows that the service stops and starts again, and every key of the page works',
  async (browser) => {
    const node = await startPageNode()
    const console = await openConsole(node, browser)
    const { page } = console
    await page.getByRole('heading', { name: 'Healthy' }).waitFor()
    await page.locator('.checks').getByText('receipt store').waitFor()
    assert.equal(await violationsIn(page), [])
    await node.stop()
    await page.locator('.connection').getByText('The service has not answered since').waitFor()
    await node.restart()
    await page.locator('.connection').getByText('The service has not answered since').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Healthy' }).waitFor()

    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Search in this view').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    for (const [key, title] of Object.entries({ r: 'Runs', l: 'Live', i: 'Build', c: 'API', o: 'Overview' })) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    for (const width of [390, 360]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
    assert.equal(console.faults, [])
    await console.close()
    await node.stop()
  },
)

pageTest('a page whose console has ended trusts no other program on the port', async (browser) => {
  const node = await startPageNode()
  const console = await openConsole(node, browser)
  const { page } = console
  await page.getByRole('heading', { name: 'Healthy' }).waitFor()
  await console.end()
  const asked: string[] = []
  // It answers everything as a ready service does.
  const successor = createServer((request, response) => {
    asked.push(`${request.method}`)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: 'ready', checks: { forged: {} } }))
  }).listen(Number(new URL(page.url()).port), '127.0.0.1')
  await once(successor, 'listening')
  await page.getByText('The console has ended, or does not').waitFor()
  await until('the page asks five times', () => asked.length >= 5, WAIT_MS)
  await page.getByText('The console has ended, or does not').waitFor()
  assert.is(await page.getByText('forged').count(), 0)
  assert.equal([...new Set(asked)], ['GET'])
  successor.closeAllConnections()
  successor.close()
  await console.close()
  await node.stop()
})

pageTest(
  'the build is shown with its bytes and proofs, and operations are found, sent and refused',
  async (browser) => {
    const node = await startPageNode()
    const console = await openConsole(node, browser)
    const { page } = console
    await console.go('/build')
    await page.locator('.sunburst-list').getByText('realtime.runs', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'console', exact: true }).click()
    await page
      .locator('.sunburst-list')
      .getByText(/^preact /)
      .waitFor()
    await page.getByRole('cell', { name: /^cluster\.nats/ }).waitFor()
    assert.equal(await violationsIn(page), [])

    await console.go('/api')
    await page.getByLabel('Search operations').fill('svc/runs')
    await page.getByRole('link', { name: 'GET /api/svc/runs', exact: true }).click()
    await page.getByRole('button', { name: 'Send GET' }).click()
    await page.locator('.try-answer').getByText('200').waitFor()
    await page.getByRole('link', { name: 'POST /api/svc/runs', exact: true }).click()
    assert.ok(await page.getByRole('button', { name: 'Send POST' }).isDisabled())
    await page.getByText('svc console --write').waitFor()
    assert.equal(await violationsIn(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await violationsIn(page), [])
    for (const width of [390, 360]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
    assert.equal(console.faults, [])
    await console.close()
    await node.stop()
  },
)

test.run()
