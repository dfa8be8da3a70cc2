/** Every view is accessible: with data, at three sizes, in both themes, and with forced colours. axe finds nothing. */
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isDeep } from '../../support/count.ts'
import { callsOf, openConsole, type PageNode, pageTest, startPageNode, violationsIn } from './pages.ts'

/** A desktop, the same at 200 %, and a phone. */
const SIZES = [
  { width: 1_280, height: 900 },
  { width: 640, height: 450 },
  { width: 390, height: 844 },
] as const
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['none', 'active'] as const).map((forcedColors) => ({
    colorScheme,
    forcedColors,
    reducedMotion: 'reduce' as const,
  })),
)

/** Rules whose result depends on colours. Only the size changes the result of every other rule. */
const OF_COLOURS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }
/** All rules, with targets of at least 24 pixels. */
const ALL: RunOptions = { rules: { 'target-size': { enabled: true } } }

/** The texts of the page that are smaller than 12 pixels. */
function smallTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== ''),
      )
      .filter(
        (element) => Number.parseFloat(getComputedStyle(element).fontSize) < 12 && element.closest('svg') === null,
      )
      .map((element) => element.outerHTML.slice(0, 160)),
  )
}

/** A run that failed, a board with a card, a push, a key: something in each view. */
async function fill(node: PageNode): Promise<void> {
  const call = await callsOf(node)
  await call('POST', '/api/svc/runs', { run_id: 'broken', thread_id: 't1' })
  const ids = { threadId: 't1', runId: 'broken' }
  await call('POST', '/api/svc/runs/broken/events', [
    { type: 'RUN_STARTED', ...ids },
    { type: 'STATE_SNAPSHOT', snapshot: { step: 1 } },
    { type: 'RUN_ERROR', message: 'The tool timed out.', code: 'tool_timeout' },
  ])
  await call('POST', '/api/svc/auth/keys', { name: 'A key' })
  await node.svc('device', 'keygen', '--out', 'ada.key')
  await node.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo', '--label', 'Ada’s laptop')
  const key = ['--key', 'ada.key', '--project', 'demo']
  await node.svc('board', 'add', ...key, '--board', 'Release 1', '--columns', 'To do,Doing,Done')
  await node.svc('board', 'add', ...key, 'Write the notes', '--label', 'docs')
  await node.svc('push', '--key', 'ada.key', '--domain', 'kbd-control:demo')
}

pageTest(
  'axe finds nothing in any view, at any size, in any theme, with and without forced colours',
  async (browser) => {
    const node = await startPageNode()
    await fill(node)
    const shown = await openConsole(node, browser, '--write', '--key', 'ada.key')
    const { page } = shown
    const views: readonly (readonly [path: string, ready: string])[] = [
      ['/', '.gauge'],
      ['/runs', '.run-row'],
      ['/runs/broken', '.run-failure'],
      ['/live', 'main:has(h1:text-is("Live"))'],
      ['/boards/demo', '.card'],
      ['/boards/demo/summary', '.facts'],
      ['/pushes', '.push'],
      ['/access', '.access-list li'],
      ['/audit', '.audit-row'],
      ['/build', 'main:has(h1:text-is("Build")) h2'],
      ['/api', 'main:has(h1:text-is("API")) :is(h2, li)'],
    ]
    const problems: string[] = []
    for (const [path, ready] of views) {
      await page.setViewportSize(SIZES[0])
      // The page is loaded once, and axe with it. What `ready` selects is not in the view that is shown before.
      await shown.show(path)
      await page.locator(ready).first().waitFor()
      for (const size of SIZES) {
        await page.setViewportSize(size)
        const at = `${path} ${size.width}`
        // The same colours are at every size, so the other looks are examined at one size, and in `make test-deep` at
        // all.
        const looks = isDeep() || size === SIZES[0] ? LOOKS : LOOKS.slice(0, 1)
        for (const [index, look] of looks.entries()) {
          await page.emulateMedia(look)
          const all = await violationsIn(page, index === 0 ? ALL : OF_COLOURS)
          problems.push(...all.map((one) => `${at} ${look.colorScheme} ${look.forcedColors} ${one}`))
        }
        problems.push(...(await smallTexts(page)).map((one) => `${at} smaller than 12 pixels: ${one}`))
        const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current="page"]')
        const box = (await current.boundingBox())!
        if (box.x < 0 || box.x + box.width > size.width + 1) problems.push(`${at}: the current view is not visible`)
        if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth))
          problems.push(`${at}: the page is wider than the screen`)
      }
    }
    assert.equal([...new Set(problems)], [])
    assert.equal(shown.faults, [])
    await shown.close()
    await node.stop()
  },
)

test.run()
