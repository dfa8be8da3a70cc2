/** Steps of a reader in a board. */
import type { Locator } from 'playwright-core'
import type { Project } from '../../../plugins/kbd/api.ts'
import type { BoardRig } from './boards-rig.ts'

/** The card of a title. */
export const cardIn: (rig: BoardRig, title: string) => Locator = ({ page }, title) =>
  page.locator('.card', { hasText: title })
/** The column of a title. */
export const laneOf: (rig: BoardRig, title: string) => Locator = ({ page }, title) =>
  page.getByRole('region', { name: title, exact: true })

/** Sends what the sheet shows, and gives the command that it showed. */
export async function sendShown({ page }: BoardRig): Promise<Record<string, unknown>> {
  const text = await page.locator('dialog .command-json').first().innerText()
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
  return JSON.parse(text) as Record<string, unknown>
}

/** Waits until the project of the service is as it should be. */
export async function until(rig: BoardRig, what: string, isSo: (project: Project) => boolean): Promise<Project> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const project = await rig.project()
    if (isSo(project)) return project
  }
  throw new Error(`${what} did not come`)
}
