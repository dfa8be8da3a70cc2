/**
 * Pushes and peers in the console: a receipt is followed live between two nodes, and a forged receipt is not verified.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  answerHeaders,
  HOSTILE,
  isWiderThan,
  openConsole,
  type PageNode,
  pageTest,
  startPageNode,
  violationsIn,
} from './pages.ts'

const KEY = ['--key', 'ada.key'] as const
const DOMAIN = ['--domain', 'kbd-control:demo'] as const

async function pair(): Promise<readonly [desk: PageNode, lamp: PageNode]> {
  const [desk, lamp] = [await startPageNode(), await startPageNode()]
  await desk.svc('device', 'keygen', '--out', 'ada.key')
  await desk.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo')
  const code = await desk.svc('peer', 'pair', '--project', 'demo', '--devices', '--label', 'lamp')
  await lamp.svc('peer', 'join', code, '--devices', '--label', 'desk')
  return [desk, lamp]
}

pageTest(
  'a push is followed live until a peer applies it, and the page verifies the signature of the peer',
  async (browser) => {
    const [desk, lamp] = await pair()
    await desk.svc('board', 'add', ...KEY, '--board', 'Release')
    const console = await openConsole(desk, browser)
    const { page } = console
    await console.go('/pushes')
    await page.getByText('No push yet').waitFor()
    await page.locator('.peers').getByText('lamp', { exact: true }).waitFor()
    // The push gets a chosen id. While the peer is stopped, the page waits for its acknowledgement.
    const id = '0b0e1c3a-1111-4000-8000-00000000000a'
    await lamp.stop()
    await desk.svc('push', ...KEY, ...DOMAIN, '--target', 'lamp', '--request-id', id)
    await page.getByLabel('Open a push by its id').fill(id)
    await page.keyboard.press('Enter')
    const events = page.locator('.receipt-events > li')
    await events.filter({ hasText: 'Applied on this node' }).waitFor()
    await page.locator('.receipt-peers').getByText('nothing yet').waitFor()
    await events.filter({ hasText: 'Could not be delivered' }).first().waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    await lamp.restart()
    await events.filter({ hasText: /^Applied by lamp/ }).waitFor()
    const peer = page.locator('.receipt-peers > li', { hasText: 'lamp' })
    await peer.getByText('signature verified').waitFor()
    await page.getByText('complete', { exact: true }).waitFor()
    assert.equal(await violationsIn(page), [])

    // The same receipt with a changed state.
    await page.route('**/local/api/v2/sync/pushes/*', async (route) => {
      const response = await route.fetch()
      const receipt = (await response.json()) as { perPeer: Record<string, { state: string }> }
      for (const record of Object.values(receipt.perPeer)) record.state = 'received'
      await route.fulfill({ response, json: receipt })
    })
    await page.reload()
    await peer.getByText('not verified').waitFor()
    assert.is(await peer.getByText('signature verified').count(), 0)
    assert.equal(console.faults, [])
    await console.close()
    await desk.stop()
    await lamp.stop()
  },
)

pageTest('hostile labels and failures of peers are shown as text', async (browser) => {
  const node = await startPageNode()
  const console = await openConsole(node, browser)
  const { page } = console
  await console.go('/pushes')
  await page.getByText('No peer yet').waitFor()
  const text = await page.locator('main').innerText()
  for (const command of ['svc peer pair --project demo --devices', 'svc push --key me.key'])
    assert.ok(text.includes(command))
  const peer = {
    endpointId: 'a'.repeat(64),
    label: HOSTILE + 'W'.repeat(65_536),
    transport: 'tls',
    addresses: ['127.0.0.1:9'],
    state: 'refused',
    lastSeenAtMs: null,
    lastFailure: { code: 'wrong_key', message: HOSTILE + 'x'.repeat(65_536), atMs: Date.now() },
    projects: { demo: { frontier: { heads: [] }, behind: 3 } },
  }
  const headers = await answerHeaders(page)
  await page.route('**/local/api/v1/peers', (route) => route.fulfill({ headers, json: { peers: [peer] } }))
  await page.locator('.peers').getByText('3 commands behind').waitFor()
  const shown = await page.locator('.peers').innerText()
  assert.match(shown, /Another node answers at this address/)
  assert.ok(shown.includes('<script>alert(2)</script>') && !shown.includes('\u202e'))
  assert.ok((await page.locator('.peers > li').boundingBox())!.height < 360)
  for (const width of [1_280, 390, 360]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.equal(await violationsIn(page), [])
  await console.go('/pushes/00000000-0000-4000-8000-000000000000')
  assert.match(await page.getByRole('alert').innerText(), /push_not_found/)
  assert.equal(console.faults, [])
  await console.close()
  await node.stop()
})

test.run()
