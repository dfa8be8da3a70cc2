/** Keys and devices in the console: each action with its button, and its effect on the service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import qrcode from 'qrcode-generator'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDeviceKey, signInvitation } from '../../../plugins/protocol/sign/index.ts'
import { callsOf, HOSTILE, isWiderThan, openConsole, pageTest, startPageNode, violationsIn } from './pages.ts'

pageTest(
  'a key is created, shown once, used, revoked and refused, and a device is enrolled and revoked',
  async (browser) => {
    const node = await startPageNode()
    const console = await openConsole(node, browser, '--write', '--scope', 'kbd:read')
    const { page } = console
    await console.go('/access')

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('robot of the night')
    await page.getByLabel(/^Scopes/).fill('kbd:read')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const key = await page.locator('.secret code').innerText()
    assert.match(key, /^svc_/)
    const ask = async (): Promise<number> =>
      (await fetch(`${node.origin}/api/svc/auth/keys`, { headers: { 'x-api-key': key } })).status
    assert.is(await ask(), 200)
    await page.keyboard.press('Escape')
    assert.match(await page.getByRole('alert').innerText(), /cannot be shown again/)
    assert.is(await page.locator('.secret code').count(), 1, 'Escape alone does not lose the key')
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const row = page.locator('.access-list > li', { hasText: 'robot of the night' })
    await row.waitFor()
    assert.not.ok((await page.content()).includes(key), 'the key is nowhere in the document')
    await console.go('/access')
    await row.waitFor()
    assert.not.ok((await page.content()).includes(key))

    await row.getByRole('button', { name: /^Revoke/ }).click()
    await page.locator('dialog').getByRole('button', { name: 'Keep it' }).click()
    assert.is(await ask(), 200)
    await row.getByRole('button', { name: /^Revoke/ }).click()
    await page.locator('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await row.getByText('revoked', { exact: true }).waitFor()
    assert.is(await ask(), 401)

    await node.svc('device', 'keygen', '--out', 'ada.key')
    const pem = readFileSync(join(node.folder, 'ada.key.pub'), 'utf8')
    await page.keyboard.press('e')
    const dialog = page.locator('dialog')
    const enrol = dialog.getByRole('button', { name: 'Enrol', exact: true })
    await dialog.locator('textarea').fill(readFileSync(join(node.folder, 'ada.key'), 'utf8'))
    assert.match(await dialog.getByRole('alert').innerText(), /private key/)
    await dialog.locator('textarea').fill(pem)
    assert.match(await dialog.locator('code.wrap').innerText(), /^ed25519:[0-9a-f]{64}$/)
    await dialog.getByLabel(/^Scopes/).fill('kbd-control:demo#fly')
    await dialog.getByText('is not a scope').waitFor()
    assert.ok(await enrol.isDisabled())
    await dialog.getByLabel(/^Scopes/).fill('kbd-control:demo#claim,card')
    await dialog.getByText('claims and any change of a card on the boards of demo').waitFor()
    await dialog.getByLabel('Label').fill('Ada’s laptop')
    await enrol.click()
    const device = page.locator('.access-list > li', { hasText: 'Ada’s laptop' })
    await device.waitFor()
    assert.match(await node.svc('device', 'list'), /active\tkbd-control:demo#claim,card\tAda’s laptop/)
    await device.getByRole('button', { name: /^Revoke/ }).click()
    await dialog.getByLabel(/^Reason/).fill('left on a train')
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await device.getByText('left on a train').waitFor()
    assert.match(await node.svc('device', 'list'), /revoked/)
    assert.equal(await violationsIn(page), [])
    assert.equal(console.faults, [])
    await console.close()
    await node.stop()
  },
)

pageTest('a code is made and shown once as a QR code, which a device reads and uses', async (browser) => {
  const node = await startPageNode({ SVC_SYNC__REMOTE: 'true' })
  const console = await openConsole(node, browser, '--write')
  const { page } = console
  await console.go('/access')
  await page.getByRole('button', { name: 'Invite a device' }).click()
  const dialog = page.locator('dialog')
  const make = dialog.getByRole('button', { name: 'Make a code' })
  assert.ok(await make.isDisabled())
  await dialog.getByLabel(/^Scopes/).fill('kbd-control:demo')
  await dialog.getByLabel('Label').fill('Ada’s phone')
  await make.click()
  const drawing = dialog.getByRole('img', { name: /^QR code of the invitation/ })
  await drawing.waitFor()
  const code = await dialog.locator('.secret code').innerText()
  assert.equal(await violationsIn(page), [])
  const expected = toRows(code)
  assert.equal(readModules(await drawing.screenshot(), expected.length), expected)
  for (const width of [1_280, 390]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.not.ok((await page.content()).includes(code), 'the code is nowhere in the document')

  const key = await createDeviceKey()
  const token = await node.svc('token', '--sub', 'ada')
  const enrolled = await fetch(`${node.origin}/api/v2/sync/devices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(await signInvitation(key, code)),
  })
  assert.is(enrolled.status, 201)
  await console.go('/access')
  await page.locator('.access-list > li', { hasText: 'Ada’s phone' }).waitFor()

  await page.keyboard.press('i')
  await dialog.getByLabel(/^Scopes/).fill('kbd-control:demo')
  await make.click()
  await dialog.getByRole('button', { name: 'Cancel the code' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.match(await node.svc('device', 'invite', '--list'), /\tvoid\t/)
  assert.equal(console.faults, [])
  await console.close()
  await node.stop()
})

pageTest(
  'without --write no action is possible and the view names the option; hostile names are shown as text',
  async (browser) => {
    const node = await startPageNode()
    const call = await callsOf(node)
    await call('POST', '/api/svc/auth/keys', { name: HOSTILE, scopes: [] })
    await node.svc('device', 'keygen', '--out', 'm.key')
    await node.svc(
      'device',
      'enroll',
      '--key',
      'm.key.pub',
      '--scope',
      'kbd-control:*',
      '--label',
      HOSTILE + 'W'.repeat(160),
    )
    const console = await openConsole(node, browser)
    const { page } = console
    await console.go('/access')
    await page.locator('.access-list > li').nth(1).waitFor()
    const text = await page.locator('main').innerText()
    assert.ok(text.includes('svc console --write'))
    assert.is(text.split('<script>alert(2)</script>').length, 3, 'shown as text, twice')
    assert.ok(text.includes('\\u{202e}') && !text.includes('\u202e'))
    for (const name of [/^Revoke/, 'New key', 'Enrol a device', 'Invite a device'])
      assert.is(await page.getByRole('button', { name }).count(), 0)
    for (const row of await page.locator('.access-list > li').all())
      assert.ok((await row.boundingBox())!.height < 260, 'a long label takes two lines')
    for (const width of [1_280, 390, 360]) assert.not.ok(await isWiderThan(page, width), `${width} px`)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await violationsIn(page), [])
    assert.equal(console.faults, [])
    await console.close()
    await node.stop()
  },
)

/** The QR code of a text, as the package draws it: rows with `#` for dark. */
function toRows(text: string): readonly string[] {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const places = Array.from({ length: code.getModuleCount() }, (_, i) => i)
  return places.map((row) => places.map((column) => (code.isDark(row, column) ? '#' : ' ')).join(''))
}

/** The modules of a drawn QR code of a size, from the middle of each. Around it there must be four light ones. */
function readModules(picture: Buffer, size: number): readonly string[] {
  const { data, width } = PNG.sync.read(picture)
  const whole = size + 8
  const isDark = (row: number, column: number): boolean => {
    const [y, x] = [row, column].map((place) => Math.floor(((place + 4.5) * width) / whole)) as [number, number]
    return data[4 * (y * width + x)]! < 128
  }
  const around = Array.from({ length: whole }, (_, i) => i - 4)
  for (const i of around)
    for (const far of [-4, -1, size, size + 3]) assert.not.ok(isDark(i, far) || isDark(far, i), `light at ${i}, ${far}`)
  const places = Array.from({ length: size }, (_, i) => i)
  return places.map((row) => places.map((column) => (isDark(row, column) ? '#' : ' ')).join(''))
}

test.run()
