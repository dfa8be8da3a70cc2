/** Runs in the console: the times of a run whose agent gives none, and the links between a run and its card. */
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Project } from '../../../plugins/kbd/api.ts'
import { sendTo } from '../sync/daemon.ts'
import { callsOf, openConsole, pageTest, startPageNode } from './pages.ts'

pageTest('events without times have the times at which they arrived, before and after a restart', async (browser) => {
  const node = await startPageNode({ SVC_REALTIME__RUN_STORE: 'sqlite' })
  const call = await callsOf(node)
  await call('POST', '/api/svc/runs', { run_id: 'untimed', thread_id: 't' })
  const append = (events: readonly object[]): Promise<void> => call('POST', '/api/svc/runs/untimed/events', events)
  const beganMs = Date.now()
  await append([
    { type: 'RUN_STARTED', threadId: 't', runId: 'untimed' },
    { type: 'STEP_STARTED', stepName: 'all at once' },
    { type: 'STEP_FINISHED', stepName: 'all at once' },
    { type: 'STEP_STARTED', stepName: 'plan' },
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'read' },
    { type: 'TOOL_CALL_END', toolCallId: 'c' },
  ])
  // The next append has a later millisecond.
  while (Date.now() <= beganMs + 1) await new Promise(setImmediate)
  await append([
    { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c', content: 'x' },
    { type: 'STEP_FINISHED', stepName: 'plan' },
  ])
  const shown = await openConsole(node, browser)
  const { page } = shown
  const timesOf = async (): Promise<readonly string[]> => {
    await page.getByRole('log').getByText('Step ended').nth(1).waitFor()
    return page
      .getByRole('log')
      .locator('time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''))
  }
  await shown.go('/runs/untimed')
  const times = await timesOf()
  assert.is(times.length, 6, 'each item has a time')
  for (const time of times) {
    const atMs = Date.parse(time)
    assert.ok(atMs >= beganMs && atMs <= Date.now(), time)
  }
  const log = page.getByRole('log')
  assert.match(String(await log.locator('time').first().getAttribute('title')), /arrived at the service$/)
  const tool = log.getByText(/^done in \d+ (?:ms|s)$/)
  assert.match(String(await tool.getAttribute('title')), /between the arrivals/)
  assert.is(await log.getByText('arrived at once').count(), 2, 'the start and the end of a step of one append')
  assert.is(await log.getByText(/^took \d+ (?:ms|s)$/).count(), 2)
  // The event itself is as the agent sent it.
  await log.getByText('Step began').last().click()
  assert.not.match(await log.innerText(), /timestamp/)

  await node.stop()
  await node.restart()
  await page.reload()
  assert.equal(await timesOf(), times)
  assert.equal(shown.faults, [])
  await shown.close()
  await node.stop()
})

pageTest('a run that was reported for a card links to the card, and the card to its runs', async (browser) => {
  const node = await startPageNode()
  await node.svc('device', 'keygen', '--out', 'ada.key')
  await node.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo')
  await node.svc('board', 'add', '--key', 'ada.key', '--board', 'Release 1', '--columns', 'To do,Done')
  await node.svc('board', 'add', '--key', 'ada.key', 'Write the notes')
  const socket = { socketPath: join(node.folder, 'run', 's.sock') }
  const reply = await sendTo(socket, { method: 'GET', path: '/api/v1/kbd/projects/demo' })
  const [thread_id] = Object.keys((reply.json() as unknown as Project).cards)
  const call = await callsOf(node)
  for (const [run_id, thread] of [
    ['of-the-card', thread_id],
    ['of-none', crypto.randomUUID()],
  ])
    await call('POST', '/api/svc/runs', { run_id, thread_id: thread })
  const shown = await openConsole(node, browser)
  const { page } = shown
  await shown.go('/runs/of-the-card')
  await page.getByRole('link', { name: 'card Write the notes' }).click()
  const card = page.getByRole('complementary', { name: 'Card' })
  await card.getByRole('heading', { name: 'Write the notes' }).waitFor()
  await card.getByRole('link', { name: 'Its runs' }).click()
  await page.getByRole('link', { name: /^of-the-card/ }).waitFor()
  assert.is(await page.getByRole('link', { name: /^of-none/ }).count(), 0)
  assert.equal(shown.faults, [])
  await shown.close()
  await node.stop()
})

test.run()
