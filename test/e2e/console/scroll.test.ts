/** How far the reader has scrolled is in the address: a reload and the keys of the browser show the same place. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openConsole, pageTest, startPageNode } from './pages.ts'

pageTest('a list is at the same place after a reload, after another view, and by its address', async (browser) => {
  const node = await startPageNode()
  const token = await node.svc('token', '--sub', 'developer')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let number = 0; number < 60; number++) {
    const body = JSON.stringify({ run_id: `run-${number}` })
    assert.is((await fetch(`${node.origin}/api/svc/runs`, { method: 'POST', headers, body })).status, 201)
  }
  const console = await openConsole(node, browser)
  const { page } = console
  const topOf = (): Promise<number> => page.getByLabel('Runs', { exact: true }).evaluate((box) => box.scrollTop)
  const untilAt = (top: number): Promise<unknown> =>
    page.waitForFunction((wanted) => document.querySelector('[data-scroll="runs"]')?.scrollTop === wanted, top)

  await console.go('/runs')
  await page.getByRole('link', { name: /run-59/ }).hover()
  await page.mouse.wheel(0, 700)
  await page.waitForFunction(() => /runs=\d+/.test(location.hash))
  const top = await topOf()
  assert.ok(top > 300, String(top))
  assert.is(new URL(page.url()).hash, `#runs=${top}`)

  await page.reload()
  await untilAt(top)
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('heading', { name: 'Audit' }).waitFor()
  assert.is(new URL(page.url()).hash, '')
  await page.goBack()
  await untilAt(top)

  await page
    .getByRole('link', { name: /run-4\d/ })
    .first()
    .hover()
  await page.mouse.wheel(0, -5_000)
  await page.waitForFunction(() => location.hash === '')
  await page.reload()
  await page.getByRole('link', { name: /run-59/ }).waitFor()
  assert.is(await topOf(), 0)
  assert.equal(console.faults, [])
  await console.close()
  await node.stop()
})

test.run()
