/**
 * The app of docs/examples/pocket-board in Chromium, with its board in the private files of the origin: pages and
 * browsers that are killed in the middle of everything lose nothing, and do nothing twice.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Project } from '../../../plugins/kbd/api.ts'
import { distDir } from '../../../scripts/build/paths.ts'
import { until } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { countOf } from '../../support/count.ts'
import { folderWith } from '../../support/folder.ts'
import { browserless, launchProfile } from '../../support/pages.ts'
import { testUnless } from '../../support/skip.ts'
import { buildLibrary, checkNothingIsLost, type Scene, startScene } from './pocket-rig.ts'
import { begin, cardOf, type PocketApp, uuids } from './pocket-rounds.ts'
import { unbuilt } from './shipped.ts'

declare const app: PocketApp

const test = suite('docs/examples/pocket-board in Chromium')
const packed = existsSync(join(distDir('npm'), 'sign.js')) ? undefined : 'make package has not been run'
const KILLS = countOf({ quick: 5, deep: 200, variable: 'SVC_POCKET_KILLS' })
/** After so many kills of the page the whole browser is killed. */
const BROWSER_EVERY = 4
const MOST_STEPS = 10

let library: string
test.before(async () => {
  library = await buildLibrary('profile.ts', 'pocket-page')
})

/** A browser with a profile on disk, which trusts the certificates of the scene and no others. */
async function launch(profile: string, { certificates }: Scene): Promise<BrowserContext> {
  const pins = certificates.map((file) => {
    const spki = new X509Certificate(readFileSync(file)).publicKey.export({ type: 'spki', format: 'der' })
    return createHash('sha256').update(spki).digest('base64')
  })
  return launchProfile(profile, { args: [`--ignore-certificate-errors-spki-list=${pins.join()}`] })
}

/** Kills the browser of a profile, found by its command line. */
async function killBrowser(profile: string, context: BrowserContext): Promise<void> {
  const closed = new Promise((done) => context.once('close', done))
  const isIts = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--user-data-dir=${profile}\0`)
    } catch {
      return false
    }
  }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isIts(name))) kill(Number(pid))
  await closed
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // The processes of a page end with their browser.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A page with the app, and the steps that it has taken. */
interface OpenPage {
  readonly page: Page
  readonly steps: string[]
  isHeld(): boolean
}

/** Opens the app, which stops after the step `heldAt`. A page that was killed may hold its lock for a moment. */
async function openApp(context: BrowserContext, { backend, service }: Scene, heldAt?: string): Promise<OpenPage> {
  const [page, steps] = [await context.newPage(), [] as string[]]
  await page.exposeFunction('stepped', async (name: string) => {
    steps.push(name)
    if (name === heldAt) await new Promise(() => {})
  })
  await until(
    'the app opens',
    async () => {
      await page.goto(`${backend}/pocket-board/page.html?service=${service}`)
      const said = page.locator('#said')
      await said.filter({ hasNotText: /^…$/ }).waitFor()
      const text = await said.innerText()
      assert.match(text, /signs as|Another tab/)
      return text.includes('signs as')
    },
    WAIT_MS,
  )
  await page.evaluate(() => app.login('ada', 'analytical'))
  return { page, steps, isHeld: () => heldAt !== undefined && steps.includes(heldAt) }
}

/** Rounds without an end, from one on. Rejects when the page is killed. */
function runRounds({ page }: OpenPage, from: number, count: number, code?: string): Promise<Project> {
  const rounds = Array.from({ length: count }, (_, i) => ({
    id: String(from + i),
    ...uuids(from + i),
    card: cardOf('phone', from + i),
  }))
  return page.evaluate(
    async ({ rounds, code }) => {
      if (code !== undefined) await app.invite(code)
      if (Object.keys((await app.show()).columns).length === 0) await app.sync()
      for (const { id, commandId, card } of rounds) {
        await app.change(commandId, card)
        await app.push(id)
        await app.sync()
        await (globalThis as unknown as { stepped(name: string): Promise<void> }).stepped(`did ${id}`)
      }
      return app.show()
    },
    { rounds, code },
  )
}

testUnless(test, unbuilt ?? packed ?? browserless, `a page that is killed ${KILLS} times loses nothing`, async () => {
  const scene = await startScene(library)
  const profile = folderWith()
  let context = await launch(profile, scene)
  try {
    for (const command of begin) await scene.colleague(command)
    const code = await scene.invite()
    const colleagues: number[] = []
    let [next, isEnrolled] = [0, false]
    for (let round = 0; round < KILLS; round++) {
      // The board changes after each kill, so a push that was signed and not sent is refused.
      const open = await openApp(context, scene, round === 1 ? 'push signed' : undefined)
      const ended = runRounds(open, next, 20, isEnrolled ? undefined : code).then(
        () => 'the rounds ended',
        (error: Error) => error.message,
      )
      const steps = round === 1 ? Number.POSITIVE_INFINITY : 1 + Math.floor(Math.random() * MOST_STEPS)
      await until('the steps are taken', async () => open.isHeld() || open.steps.length >= steps, WAIT_MS)
      if (round % BROWSER_EVERY === BROWSER_EVERY - 1) {
        await killBrowser(profile, context)
        context = await launch(profile, scene)
      } else await open.page.close()
      assert.match(await ended, /closed|crashed/)
      next += open.steps.filter((step) => step.startsWith('did ')).length
      isEnrolled ||= open.steps.includes('enrolled')
      colleagues.push(round)
      await scene.colleague(cardOf('colleague', round))
    }
    const last = await openApp(context, scene)
    const shown = await runRounds(last, next, 1)
    assert.equal(shown, await scene.board())
    await checkNothingIsLost(scene, { rounds: Array.from({ length: next + 1 }, (_, n) => n), colleagues })
  } finally {
    await context.close()
    await scene.stop()
  }
})

test.run()
