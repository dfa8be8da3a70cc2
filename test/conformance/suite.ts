/** Generates the conformance suite of a profile from the matrix and the contracts, and runs it on every form. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Case } from '../../core/contract.ts'
import { loadProfile } from '../../scripts/build/load-profile.ts'
import { distDir, root } from '../../scripts/build/paths.ts'
import { type Plan, plan } from '../../scripts/build/plan.ts'
import { importModule } from '../../scripts/build/read-module.ts'
import { checkedTarget } from '../support/openapi.ts'
import { skip } from '../support/skip.ts'
import { checkAnswer } from './expect.ts'
import { exportsOf, type Form, formsOf, nest, type Started } from './forms.ts'

interface Planned {
  readonly name: string
  /** Whether the feature is the user's own: our OpenAPI contract knows nothing of it. */
  readonly own: boolean
  readonly one: Case
}

/** How many cases passed and were skipped, by form. */
type Counts = Record<string, { passed: number; failed: number; skipped: number }>

/** Registers and runs the suites of a profile, by name or by path. Counts go to `.build/conformance/`. */
export async function conformance(nameOrPath: string): Promise<void> {
  const planned = await withContracts(nameOrPath)
  const counts: Counts = {}
  for (const form of formsOf(planned)) runForm(planned, form, counts)
  checkShape(planned, counts)
  process.once('exit', () => saveCounts(planned.profile.name, counts))
}

/** A plan reads a user's profile as data; cases may be functions, so here it is imported. */
async function withContracts(nameOrPath: string): Promise<Plan> {
  const planned = await plan(nameOrPath)
  const { own } = await loadProfile(nameOrPath, process.cwd(), importModule)
  return { ...planned, known: { ...planned.known, ...own } }
}

/** The cases of every feature for one form: the present side where it is in, the absent side where it is not. */
function casesOf({ known, profile }: Plan, { target }: Form): Planned[] {
  const present = new Set(target.features.map(({ id }) => id))
  return Object.entries(known).flatMap(([id, { contract }]) => {
    const side = present.has(id) ? 'present' : 'absent'
    return contract[side].map((one) => ({ name: `${id} (${side}): ${one.name}`, own: id in profile.own, one }))
  })
}

function runForm(planned: Plan, form: Form, counts: Counts): void {
  const test = suite(`${planned.profile.name}, ${form.name}`)
  const count = (counts[form.name] = { passed: 0, failed: 0, skipped: 0 })
  const leaveOut = (name: string, reason: string): void => {
    count.skipped++
    skip(test, name, reason)
  }
  if (form.skip !== undefined) {
    leaveOut(`${planned.profile.name}, ${form.name}`, form.skip)
    test.run()
    return
  }
  const groups = new Map<string, Planned[]>()
  for (const one of casesOf(planned, form)) {
    const key = JSON.stringify(one.one.given ?? {})
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  for (const [settings, cases] of groups) {
    let started: Started | undefined
    const canSignIn = form.target.manifest.settings.includes('security.jwt_secret')
    const runnable = cases.filter(({ name, one }) => {
      const reason = reasonToSkip(form, one, canSignIn)
      if (reason !== undefined) leaveOut(name, reason)
      return reason === undefined
    })
    runnable.forEach(({ name, own, one }, index) => {
      test(name, async () => {
        count.failed++
        started ??= await form.start(JSON.parse(settings) as Record<string, unknown>)
        const found = started.on(one.surface ?? 'runtime')
        assert.ok(found, `this form does not serve the ${one.surface ?? 'runtime'} surface`)
        const target = own ? found : checkedTarget(found, one.surface ?? 'runtime')
        if (one.steps !== undefined) await one.steps(target)
        else checkAnswer(await target.request(one.send!), one.expect!)
        count.failed--
        count.passed++
      })
      if (index === runnable.length - 1) {
        test(`stops cleanly with ${settings}`, async () => {
          await started?.stop()
        })
      }
    })
  }
  test.run()
}

function reasonToSkip({ name, target }: Form, one: Case, canSignIn: boolean): string | undefined {
  const lacking = one.needs?.find((needed) => !target.features.some(({ id }) => id === needed))
  if (lacking !== undefined) return `it looks through ${lacking}, which the profile does not have`
  if (one.send?.as !== undefined && !canSignIn) return 'the profile has no JWT to sign in with'
  const local = one.surface === 'local'
  if (local && (name === 'source' || name === 'library')) return 'the local surface is served by the program only'
  if (local && !target.manifest.routes.some(({ surface }) => surface === 'local')) {
    return 'the profile has no local surface'
  }
  return undefined
}

/** What holds of the build itself: routes, settings and exports are those of the present features and no others. */
function checkShape({ profile, targets }: Plan, counts: Counts): void {
  const test = suite(`${profile.name}, shape`)
  const count = (counts['shape'] = { passed: 0, failed: 0, skipped: 0 })
  const check = (name: string, run: () => Promise<void> | void): void => {
    test(name, async () => {
      count.failed++
      await run()
      count.failed--
      count.passed++
    })
  }
  const dist = distDir(profile.name)
  const library = targets.find(({ form }) => form === 'library')
  if (library !== undefined) {
    check('the library exports what its features export, and its manifest', async () => {
      const file = join(dist, 'index.mjs')
      const names = Object.keys((await import(pathToFileURL(file).href)) as object).sort()
      assert.equal(names, [...Object.keys(exportsOf(library)), 'manifest'].sort())
    })
    const absentSettings = Object.keys(library.absent.settings)
    if ('createRuntime' in exportsOf(library) && absentSettings.length > 0) {
      check('the library refuses every setting of an absent feature, and says who has it', async () => {
        const { createRuntime } = (await import(pathToFileURL(join(dist, 'index.mjs')).href)) as {
          createRuntime: (options: unknown) => unknown
        }
        const settings = nest(Object.fromEntries(absentSettings.map((key) => [key, 'x'])))
        try {
          createRuntime({ settings })
          assert.unreachable('the settings were taken')
        } catch (error) {
          const { message } = error as Error
          for (const key of absentSettings) {
            assert.ok(message.includes(`settings: ${key}: `), `${key} is not named in: ${message}`)
            for (const owner of library.absent.settings[key]!)
              assert.ok(message.includes(owner), `${owner}: ${message}`)
          }
        }
      })
    }
  }
  const manifests = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<
    string,
    { routes: { surface: string; method: string; path: string }[] }
  >
  for (const { form, manifest, features } of targets) {
    check(`the ${form} has the routes of its features and no others`, () => {
      const shipped = manifests[form === 'library' ? 'index.mjs' : 'svc.mjs']!.routes
      assert.equal(shipped, manifest.routes)
      const own = features.flatMap(({ plugin }) => plugin?.routes ?? []).map(({ method, path }) => `${method} ${path}`)
      assert.equal(shipped.map(({ method, path }) => `${method} ${path}`).sort(), own.sort())
    })
  }
  test.run()
}

function saveCounts(profile: string, counts: Counts): void {
  const folder = join(root, '.build', 'conformance')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${profile}.json`), JSON.stringify(counts))
}
