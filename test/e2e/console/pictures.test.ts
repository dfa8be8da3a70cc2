/** The console looks like docs/pictures, within a tolerance. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { differenceOf } from '../../../scripts/pictures/compare.ts'
import { shots, takeAll } from '../../../scripts/pictures/shots.ts'
import { tell } from '../../../scripts/pictures/story.ts'
import { startService } from '../../../scripts/service.ts'
import { pageTest } from './pages.ts'

/** The share of pixels that may differ. Times, ids, ports and sizes of the build differ in each run. */
const TOLERANCE = 0.03

const storedPicture = (name: string): Buffer => readFileSync(join(root, 'docs/pictures', `${name}.png`))

pageTest('each view looks like its picture (make pictures renews them)', async (browser) => {
  const [desk, lamp] = await Promise.all([startService(), startService()])
  await tell(desk, lamp)
  const pictures = await takeAll(browser, desk)
  await Promise.all([desk.stop(), lamp.stop()])
  const other = [...pictures].flatMap(([name, picture]) => {
    const difference = differenceOf(storedPicture(name), picture)
    return difference > TOLERANCE ? [`${name}: ${(100 * difference).toFixed(1)} %`] : []
  })
  assert.equal(other, [])
})

test('another theme, view or size exceeds the tolerance', () => {
  const names = shots.map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    const next = names[(index + 1) % names.length]!
    assert.ok(differenceOf(storedPicture(name), storedPicture(next)) > TOLERANCE, `${name} and ${next}`)
  }
  assert.is(differenceOf(storedPicture(names[0]!), storedPicture(names[0]!)), 0)
})

test.run()
