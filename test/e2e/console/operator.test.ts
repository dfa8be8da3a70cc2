/** An operator in the console: runs and keys of other users, where the service allows it, and nothing where not. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openConsole, type PageNode, pageTest, startPageNode, violationsIn } from './pages.ts'

const OPERATOR = 'svc:runs:read svc:keys:manage'

/** Calls the runtime surface as a user. */
async function post(node: PageNode, user: string, path: string, body: unknown): Promise<void> {
  const token = await node.svc('token', '--sub', user)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(node.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(reply.ok, `${path}: ${reply.status} ${await reply.text()}`)
}

async function runsOf(node: PageNode): Promise<void> {
  for (const user of ['ann', 'bob']) {
    await post(node, user, '/api/svc/runs', { run_id: 'same-name', thread_id: `thread-of-${user}` })
    const event = { type: 'RUN_STARTED', threadId: `thread-of-${user}`, runId: 'same-name' }
    await post(node, user, '/api/svc/runs/same-name/events', [event])
  }
  await post(node, 'ann', '/api/svc/auth/keys', { name: 'Key of Ann' })
}

pageTest('an operator sees the runs of all users, and the runs and keys of one, and goes back', async (browser) => {
  const node = await startPageNode({ SVC_SECURITY__DELEGATION: 'true' })
  await runsOf(node)
  const shown = await openConsole(node, browser, '--write', '--scope', OPERATOR)
  const { page } = shown
  await shown.go('/runs')
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  await page.getByRole('button', { name: 'All users' }).click()
  const run = (user: string) => page.getByRole('link', { name: new RegExp(`^same-name.*${user}`, 's') })
  await run('ann').waitFor()
  await run('bob').click()
  const pane = page.getByRole('region', { name: 'Run same-name' })
  await pane.getByText('thread-of-bob').first().waitFor()
  const { searchParams } = new URL(page.url())
  assert.equal([searchParams.get('user'), searchParams.get('of')], ['*', 'bob'])
  await run('ann').click()
  await pane.getByText('thread-of-ann').first().waitFor()
  assert.equal(await violationsIn(page), [])

  await page
    .getByRole('textbox', { name: 'User' })
    .or(page.getByRole('combobox', { name: 'User' }))
    .fill('ann')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('as ann').waitFor()
  await run('bob').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Keys and devices/ }).click()
  await page.getByText('Key of Ann').waitFor()
  await page.getByRole('button', { name: 'Only mine' }).click()
  await page.getByRole('heading', { name: 'No API key yet' }).waitFor()
  assert.equal(shown.faults, [])
  await shown.close()
  await node.stop()
})

pageTest(
  'without the scope, and where delegation is off, there is no switch, and an address shows the refusal',
  async (browser) => {
    for (const [delegation, scope] of [
      ['true', 'api'],
      ['false', OPERATOR],
    ] as const) {
      const node = await startPageNode({ SVC_SECURITY__DELEGATION: delegation })
      await runsOf(node)
      const shown = await openConsole(node, browser, '--scope', scope)
      const { page } = shown
      await shown.go('/runs')
      await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
      await shown.go('/runs?user=ann')
      await page.getByRole('alert').getByText('403 forbidden').waitFor()
      assert.is(await page.getByRole('button', { name: 'All users' }).count(), 0)
      assert.not.match(await page.getByRole('main').innerText(), /same-name|No runs yet/)
      await shown.close()
      await node.stop()
    }
  },
)

pageTest('a browser signs out alone, also from a console that only reads', async (browser) => {
  const node = await startPageNode()
  const shown = await openConsole(node, browser)
  const { page } = shown
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Open the address that the terminal printed.').waitFor()
  assert.equal(await page.context().cookies(), [])
  await shown.close()
  await node.stop()
})

test.run()
