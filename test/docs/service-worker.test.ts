/** docs/examples/service-worker in Chromium: the page and the API work while the server is down. */
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import { WAIT_MS } from '../runner/limit.ts'
import { folderWith } from '../support/folder.ts'
import { browserless, launchBrowser, servePages } from '../support/pages.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('docs/examples/service-worker')
const npm = distDir('npm')
const unpacked = existsSync(join(npm, 'minimal/single.mjs')) ? undefined : 'make package has not been run'

async function waitForText(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.getElementById('said') as HTMLOutputElement | null)?.value === wanted,
    text,
    { timeout: WAIT_MS },
  )
}

testUnless(test, unpacked ?? browserless, 'the page starts runs with and without its server', async () => {
  const folder = folderWith()
  cpSync(join(root, 'docs/examples/service-worker'), folder, { recursive: true })
  symlinkSync(npm, join(folder, 'svc'))
  const { origin, close } = await servePages(folder)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(`${origin}/index.html`)
    await waitForText(page, '0 runs')
    await page.click('#begin')
    await waitForText(page, '1 runs')
    close()
    await page.reload()
    await waitForText(page, '1 runs')
    await page.click('#begin')
    await waitForText(page, '2 runs')
    const refused = await page.evaluate(async () => (await fetch('/api/svc/nothing')).status)
    assert.is(refused, 404)
    assert.equal(problems, [])
  } finally {
    await browser.close()
  }
})

test.run()
