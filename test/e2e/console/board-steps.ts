/** Steps of a user in a board. */
import type { Locator } from 'playwright-core'
import { test } from 'uvu'
import type { Project } from '../../../plugins/kbd/api.ts'
import { until as holds } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { browserless } from '../../support/pages.ts'
import { testUnless } from '../../support/skip.ts'
import { unbuilt } from '../sync/shipped.ts'
import { type BoardRig, startBoards } from './boards-rig.ts'

let rig: BoardRig
const reason = browserless ?? unbuilt

test.before(async () => {
  if (reason === undefined) rig = await startBoards()
})
test.after(async () => {
  if (reason === undefined) await rig.stop()
})

/** Adds a test that starts on the board of `demo`. The tests of a file share one service. */
export function boardTest(name: string, run: (rig: BoardRig) => Promise<void>): void {
  testUnless(test, reason, name, async () => {
    await rig.visit('/boards/demo')
    await rig.page.waitForSelector('.lane')
    await askAlways(rig)
    await run(rig)
  })
}

/** Chooses that every command is shown before it is sent. The page keeps the choice for its tab. */
async function askAlways({ page }: BoardRig): Promise<void> {
  const box = page.getByRole('checkbox', { name: 'Ask before each change' })
  await box.check()
  // Plain keys are no shortcuts while the box has the focus.
  await box.blur()
}

/** The card with a title. */
export const cardIn: (rig: BoardRig, title: string) => Locator = ({ page }, title) =>
  page.locator('.card', { hasText: title })
/** The column with a title. */
export const laneOf: (rig: BoardRig, title: string) => Locator = ({ page }, title) =>
  page.getByRole('region', { name: title, exact: true })

/** Waits for the sheet that shows a command. */
export async function sheetShown({ page }: BoardRig): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Sign and send' }).waitFor()
}

/** Sends the command that the sheet shows, and returns the command. */
export async function sendShown({ page }: BoardRig): Promise<Record<string, unknown>> {
  // The JSON is folded: the sheet says in words what is signed.
  const text = (await page.locator('dialog .command-json').first().textContent())!
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
  return JSON.parse(text) as Record<string, unknown>
}

/** Waits until the project at the service satisfies a condition. */
export async function until(rig: BoardRig, what: string, isSo: (project: Project) => boolean): Promise<Project> {
  let project = await rig.project()
  const isSoNow = async (): Promise<boolean> => isSo((project = await rig.project()))
  if (!isSo(project)) await holds(what, isSoNow, WAIT_MS)
  return project
}
