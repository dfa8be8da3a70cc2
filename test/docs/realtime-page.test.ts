/** The page docs/examples/realtime.html, with the built client, on the built server. */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import { tokenFor } from '../conformance/caller.ts'
import { shippedProgram, startBuilt } from '../e2e/telemetry/built-service.ts'
import { WAIT_MS } from '../runner/limit.ts'
import { folderWith } from '../support/folder.ts'
import { browserless, launchProfile, servePages } from '../support/pages.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('docs/examples/realtime.html')
const client = join(distDir('npm'), 'client.js')
const missing = [client, shippedProgram].find((path) => !existsSync(path))
const reason = browserless ?? (missing && `${missing} has not been made`)

testUnless(
  test,
  reason,
  'the page shows events of any length, a run, and the reason why a stream stopped',
  async () => {
    const folder = folderWith()
    copyFileSync(join(root, 'docs/examples/realtime.html'), join(folder, 'realtime.html'))
    copyFileSync(client, join(folder, 'client.mjs'))
    const pages = await servePages(folder)
    const service = await startBuilt({ SVC_REALTIME__TOPICS: 'todos', SVC_SERVER__CORS_ORIGINS: pages.origin })
    const context = await launchProfile(folderWith())
    try {
      const page = await context.newPage()
      const text = (selector: string, wanted: RegExp): Promise<unknown> =>
        page.waitForFunction(
          ([selector, wanted]) => {
            const found = document.querySelector(selector!)!
            return new RegExp(wanted!).test('value' in found ? String(found.value) : found.textContent!)
          },
          [selector, wanted.source],
          { timeout: WAIT_MS },
        )
      await page.goto(`${pages.origin}/realtime.html`)
      await page.fill('[name=base]', service.base)
      await page.fill('[name=token]', tokenFor({ user: 'ada', scopes: ['live:publish'] }))
      await page.click('text=Listen')
      await text('#state', /^open$/)
      const headers = {
        authorization: `Bearer ${tokenFor({ user: 'ada', scopes: ['live:publish'] })}`,
        'content-type': 'application/json',
      }
      const body = JSON.stringify({ identifier: 'x'.repeat(2_000), operation: 'insert', data: 'y'.repeat(20_000) })
      const published = await fetch(`${service.base}/api/live/todos`, { method: 'POST', headers, body })
      assert.is(published.status, 202)
      await text('#live', /y{20000}/)
      const widths = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      assert.ok(widths[0]! <= widths[1]!, `the page is ${widths[0]} wide in a window of ${widths[1]}`)

      await page.click('#start')
      await text('#text', /A run streams its words as they come\./)
      await text('#run-state', /^stopped: at its end$/)

      await page.fill('[name=token]', 'no token')
      await page.click('text=Listen')
      await text('#state', /^stopped: 401 token_malformed$/)
    } finally {
      await context.close()
      pages.close()
      await service.stop()
    }
  },
)

test.run()
