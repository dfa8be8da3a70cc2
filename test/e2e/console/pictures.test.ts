/** The console looks like docs/pictures, within a tolerance. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { differenceOf, shots, takeAll } from '../../../scripts/pictures/shots.ts'
import { tell } from '../../../scripts/pictures/story.ts'
import { startService } from '../../../scripts/service.ts'
import { pageTest } from './pages.ts'

/** The share of pixels that may differ. Times, ids, ports and sizes of the build differ in each run. */
const TOLERANCE = 0.03

/** The pictures of the docs by name. Decoding one takes as long as comparing it. */
const stored = new Map(
  shots.map(({ name }) => [name, PNG.sync.read(readFileSync(join(root, 'docs/pictures', `${name}.png`)))]),
)

pageTest('each view looks like its picture (make pictures renews them)', async (browser) => {
  const [desk, lamp] = await Promise.all([startService(), startService()])
  await tell(desk, lamp)
  const pictures = await takeAll(browser, desk)
  await Promise.all([desk.stop(), lamp.stop()])
  const other = [...pictures].flatMap(([name, picture]) => {
    const difference = differenceOf(stored.get(name)!, PNG.sync.read(picture))
    return difference > TOLERANCE ? [`${name}: ${(100 * difference).toFixed(1)} %`] : []
  })
  assert.equal(other, [])
})

test('another theme, view or size exceeds the tolerance', () => {
  const all = [...stored]
  for (const [index, [name, picture]] of all.entries()) {
    const [nextName, next] = all[(index + 1) % all.length]!
    assert.ok(differenceOf(picture, next) > TOLERANCE, `${name} and ${nextName}`)
  }
  assert.is(differenceOf(all[0]![1], all[0]![1]), 0)
})

test.run()
