/** An operator in the console: runs and keys of other users, where the service allows it, and nothing where not. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { callsOf, openConsole, type PageNode, pageTest, startPageNode, violationsIn } from './pages.ts'

const OPERATOR = 'svc:runs:read svc:keys:manage'

async function runsOf(node: PageNode): Promise<void> {
  for (const [user, name] of Object.entries({ ann: 'Ann', bob: 'Bob' })) {
    const call = await callsOf(node, user)
    await call('POST', '/api/svc/runs', { run_id: 'same-name', thread_id: `thread-of-${user}` })
    const event = { type: 'RUN_STARTED', threadId: `thread-of-${user}`, runId: 'same-name' }
    await call('POST', '/api/svc/runs/same-name/events', [event])
    await call('POST', '/api/svc/auth/keys', { name: `Key of ${name}` })
  }
}

pageTest('an operator sees the runs of all users, and the runs and keys of one, and goes back', async (browser) => {
  const node = await startPageNode({ SVC_SECURITY__DELEGATION: 'true' })
  await runsOf(node)
  const shown = await openConsole(node, browser, '--write', '--scope', OPERATOR)
  const { page } = shown
  // The first address of a page may be about one user.
  await shown.go('/access?user=bob')
  await page.getByText('Key of Bob').waitFor()
  await page.getByRole('button', { name: 'Only mine' }).waitFor()
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
  const thread = pane.getByRole('link', { name: /thread thread-of-bob/ })
  assert.match(await thread.innerText(), /, 1 run$/)
  assert.match((await thread.getAttribute('href')) ?? '', /\?thread=thread-of-bob&user=\*$/)
  assert.match((await pane.getByText('All runs').getAttribute('href')) ?? '', /\/runs\?user=\*$/)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('same-name ann')
  await page.getByRole('option', { name: /same-name/ }).click()
  await pane.getByText('thread-of-ann').first().waitFor()
  assert.is(new URL(page.url()).searchParams.get('of'), 'ann')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('failed')
  await page.getByText('0 that match, by all users').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('')
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
  assert.is(await page.getByText('Key of Bob').count(), 0)
  await page.getByRole('button', { name: 'All users' }).click()
  const rows = page.getByRole('listitem').filter({ hasText: 'Key of' })
  await rows.filter({ hasText: 'Key of Bob' }).getByText('bob', { exact: true }).waitFor()
  assert.is(await rows.count(), 2)
  const search = page.getByRole('searchbox', { name: /Search the keys/ })
  await search.fill('ann')
  await rows.filter({ hasText: 'Key of Bob' }).waitFor({ state: 'detached' })
  assert.is(new URL(page.url()).searchParams.get('key'), 'ann')
  await search.fill('')
  assert.equal(await violationsIn(page), [])
  // The key of another user is revoked from the list of all users.
  await rows.getByRole('button', { name: 'Revoke Key of Bob' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await rows.filter({ hasText: 'Key of Bob' }).getByText('revoked', { exact: true }).waitFor()
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
