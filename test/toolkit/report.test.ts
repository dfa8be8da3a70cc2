/** The report in a real browser: it is drawn, it runs no script, and a violation of its policy would be detected. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import { readDist } from '../../scripts/toolkit/open-dist.ts'
import { reportPage } from '../../scripts/toolkit/report/page.ts'
import { browserless, launchBrowser } from '../support/pages.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('report in a browser')
const unbuilt = ['minimal', 'embedded-mobile'].find((name) => !existsSync(join(distDir(name), 'account.json')))
const reason = browserless ?? (unbuilt === undefined ? undefined : `make build PROFILE=${unbuilt} has not been run`)
const picture = join(root, 'docs/pictures/report.png')

let browser: Browser
test.before(async () => {
  if (reason === undefined) browser = await launchBrowser()
})
test.after(() => browser?.close())

/** Opens a page, and collects the browser's messages, errors and requests. */
async function show(html: string): Promise<{ page: Page; said: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 } })
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith('about:')) messages.push(`request for ${request.url()}`)
  })
  await page.setContent(html)
  return { page, said: messages }
}

testUnless(test, reason, 'the rings of one build are drawn, and the browser reports nothing', async () => {
  const dist = readDist(distDir('minimal'))
  const { page, said: messages } = await show(reportPage(dist))
  const rings = await page.locator('svg').evaluateAll((all) =>
    all.map((svg) => {
      const arcs = [...svg.querySelectorAll('path')]
      return {
        arcs: arcs.length,
        wide: svg.getBoundingClientRect().width,
        titled: arcs.every((arc) => arc.querySelector('title')?.textContent),
      }
    }),
  )
  assert.is(rings.length, dist.account.bundles.length)
  for (const { arcs, wide, titled } of rings) assert.ok(arcs > 20 && wide > 300 && titled, JSON.stringify(rings))
  // The style is applied, so its hash matches the policy.
  assert.is(await page.locator('main').evaluate((main) => getComputedStyle(main).display), 'block')
  assert.is(await page.locator('h1').evaluate((title) => getComputedStyle(title).marginTop), '0px')
  await page.getByText('packages', { exact: false }).first().click()
  assert.ok(await page.getByRole('cell', { name: 'jose', exact: true }).first().isVisible())
  assert.equal(messages, [])
  await page.close()
})

testUnless(test, reason, 'two builds are shown side by side, with their differences', async () => {
  const { page, said: messages } = await show(
    reportPage(readDist(distDir('minimal')), readDist(distDir('embedded-mobile'))),
  )
  const boxes = await page
    .locator('main > section')
    .evaluateAll((all) => all.map((section) => section.getBoundingClientRect().x))
  assert.ok(boxes.length === 2 && boxes[1]! > boxes[0]! + 300, String(boxes))
  assert.ok(await page.getByRole('heading', { name: 'Differences' }).isVisible())
  assert.equal(messages, [])
  await page.close()
})

testUnless(
  test,
  reason,
  'hostile names are shown as text, and the policy would refuse an injected script',
  async () => {
    const dist = readDist(distDir('embedded-mobile'))
    const script = '<script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">'
    const { page, said: messages } = await show(reportPage({ ...dist, account: { ...dist.account, summary: script } }))
    assert.not.match(await page.title(), 'owned')
    assert.ok(await page.getByText(script, { exact: false }).first().isVisible())
    assert.equal(messages, [])
    const { page: other, said: refused } = await show(reportPage(dist).replace('</main>', `${script}</main>`))
    assert.not.match(await other.title(), 'owned')
    assert.ok(
      refused.some((text) => /Content Security Policy/.test(text)),
      refused.join('\n'),
    )
    await Promise.all([page.close(), other.close()])
  },
)

test('the picture of the docs exists and is a PNG', () => {
  const bytes = readFileSync(picture)
  assert.is(bytes.subarray(1, 4).toString(), 'PNG')
  assert.ok(bytes.length > 20_000 && bytes.length < 400_000, String(bytes.length))
  for (const page of ['README.md', 'docs/toolkit.md']) {
    assert.match(readFileSync(join(root, page), 'utf8'), 'pictures/report.png', page)
  }
})

test.run()
