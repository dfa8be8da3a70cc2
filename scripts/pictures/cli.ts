/**
 * `make pictures [ONLY=boards] [OUT=folder]`: takes the screenshots of the console and of a report for docs/pictures.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root } from '../build/paths.ts'
import { chromiumPath } from '../chromium.ts'
import { startService } from '../service.ts'
import { REPORT, shots, takeAll, takeReport } from './shots.ts'
import { tell } from './story.ts'

const [only = '', folder = join(root, 'docs/pictures')] = process.argv.slice(2)
const wanted = shots.filter(({ name }) => name.includes(only))

if (!existsSync(chromiumPath)) {
  console.error(`pictures: no Chromium at ${chromiumPath}; SVC_CHROMIUM names another place`)
  process.exitCode = 1
} else if (wanted.length === 0 && !REPORT.includes(only)) {
  console.error(
    `pictures: no name contains ${only}. There are ${[...shots.map(({ name }) => name), REPORT].join(', ')}`,
  )
  process.exitCode = 64
} else await main()

async function main(): Promise<void> {
  const [desk, lamp] = await Promise.all([startService(), startService()])
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    await tell(desk, lamp)
    const pictures = new Map(await takeAll(browser, desk, wanted))
    if (REPORT.includes(only)) pictures.set(REPORT, await takeReport(browser))
    mkdirSync(folder, { recursive: true })
    for (const [name, picture] of pictures) {
      const file = join(folder, `${name}.png`)
      writeFileSync(file, picture)
      console.log(`${file} ${Math.ceil(picture.length / 1_024)} KiB`)
    }
  } finally {
    await browser.close()
    await Promise.all([desk.stop(), lamp.stop()])
  }
}
