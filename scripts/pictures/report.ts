/** The picture of a report of `svc-build report`. */
import type { Browser } from 'playwright-core'
import { distDir } from '../build/paths.ts'
import { readDist } from '../toolkit/open-dist.ts'
import { reportPage } from '../toolkit/report/page.ts'

/** Name of the file in docs/pictures, without `.png`. */
export const REPORT = 'report'

/** Takes the picture of the rings of minimal's library. */
export async function takeReport(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 } })
  try {
    await page.setContent(reportPage(readDist(distDir('minimal'))))
    return await page.locator('figure').first().screenshot()
  } finally {
    await page.close()
  }
}
