/** The audit chain in the console: the page verifies the chain, and shows each manipulated entry. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HOSTILE, isWiderThan, openConsole, pageTest, startPageNode, violationsIn } from './pages.ts'

interface AuditPage {
  readonly entries: { seq: number; outcome: string; project: string | null }[]
}

pageTest('the page verifies and filters the chain, and shows a changed entry at its position', async (browser) => {
  const node = await startPageNode()
  await node.svc('device', 'keygen', '--out', 'ada.key')
  await node.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo')
  await node.svc('board', 'add', '--key', 'ada.key', '--board', 'Release', '--columns', 'To do,Doing,Done')
  await node.svc('push', '--key', 'ada.key', '--domain', 'kbd-control:demo')
  const console = await openConsole(node, browser)
  const { page } = console
  await console.go('/audit')
  const verification = page.getByRole('region', { name: 'Verification' })
  await verification.getByText('Verified in this page').waitFor()
  const rows = page.locator('.audit-row')
  await rows.first().waitFor()
  const length = await rows.count()
  assert.match(await verification.innerText(), new RegExp(`This page hashed all ${length} entries`))
  assert.match(
    await verification.innerText(),
    new RegExp(`The page and the service have the same head, entry ${length}`),
  )
  assert.match(await rows.first().innerText(), /push/, 'the newest one is first')

  await page.getByLabel('Kind').selectOption('enrolment')
  assert.is(await rows.count(), 1)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('push')
  assert.is(await rows.count(), 1)
  await page.getByRole('button', { name: 'Clear' }).click()
  await rows.first().click()
  await page.locator('dialog').getByText('hash verified').waitFor()
  await page.keyboard.press('Escape')
  await verification.getByRole('button', { name: 'Verify again' }).click()
  await verification.getByText('now', { exact: true }).or(verification.getByText(/ago/)).waitFor()
  await verification.getByText('Verified in this page').waitFor()
  assert.equal(await violationsIn(page), [])

  await page.route(/\/local\/api\/v1\/audit\?/, async (route) => {
    const response = await route.fetch()
    const chain = (await response.json()) as AuditPage
    for (const entry of chain.entries) if (entry.seq === 2) entry.outcome = 'rewritten'
    await route.fulfill({ response, json: chain })
  })
  await page.reload()
  await verification.getByText('Not verified').waitFor()
  await verification.getByText('Entry 2 is not as it was written').waitFor()
  assert.is(await verification.getByText('Verified in this page').count(), 0)
  await verification.getByRole('button', { name: 'Show it' }).first().click()
  const broken = page.locator('.audit-broken')
  assert.is(await broken.count(), 1)
  assert.match(await broken.innerText(), /^2\s[\s\S]*not as it was written/)
  await verification.getByRole('button', { name: 'Verify again' }).click()
  await verification.getByText(/ago|now/).waitFor()
  await verification.getByText('Not verified').waitFor()
  assert.equal(console.faults, [])
  await console.close()
  await node.stop()
})

pageTest(
  'a missing entry and a forged checkpoint are reported, and hostile texts are shown as text',
  async (browser) => {
    const node = await startPageNode()
    for (const name of ['a', 'b', 'c']) {
      await node.svc('device', 'keygen', '--out', `${name}.key`)
      await node.svc('device', 'enroll', '--key', `${name}.key.pub`, '--scope', `kbd-control:${name}`)
    }
    const console = await openConsole(node, browser)
    const { page } = console
    const status = (await (await page.request.get(`${page.url()}local/api/v1/status`)).json()) as { endpointId: string }
    await page.route(/\/local\/api\/v1\/audit\?/, async (route) => {
      const response = await route.fetch()
      const chain = (await response.json()) as AuditPage
      const entries = chain.entries.filter(({ seq }) => seq !== 2)
      for (const entry of entries) if (entry.seq === 1) entry.project = HOSTILE + 'W'.repeat(65_536)
      await route.fulfill({ response, json: { ...chain, entries } })
    })
    await page.route('**/local/api/v1/audit/verify', async (route) => {
      const response = await route.fetch()
      const { head, ...verdict } = (await response.json()) as { head: { seq: number; hash: string } }
      const { endpointId } = status
      const forged = {
        context: 'svc-audit-checkpoint-1',
        ...head,
        atMs: 1,
        endpointId,
        signature: 'A'.repeat(86) + '==',
      }
      await route.fulfill({ response, json: { ...verdict, head, checkpoint: forged } })
    })
    await console.go('/audit')
    const verification = page.getByRole('region', { name: 'Verification' })
    await verification.getByText('Not verified').waitFor()
    await verification.getByText('Entry 1 is not as it was written, and 1 more').waitFor()
    await verification.getByText(/signature of the checkpoint .* is not valid/).waitFor()
    await page.locator('.audit-row').first().waitFor()
    const text = await page.locator('.audit-rows').innerText()
    assert.ok(text.includes('entries before it are missing') && text.includes('<script>alert(2)</script>'))
    assert.not.ok(text.includes('\u202e'))
    for (const width of [1_280, 390, 360]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await violationsIn(page), [])
    assert.equal(console.faults, [])
    await console.close()
    await node.stop()
  },
)

test.run()
