/** Generates the conformance suite of a profile from the matrix and the contracts, and runs it on every form. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SurfaceName } from '../../core/http/route.ts'
import {
  type CallCase,
  type Case,
  type CommandCase,
  type HttpCase,
  kindOf,
  type Target,
} from '../../core/testing/contract.ts'
import { outputName } from '../../scripts/build/generate/generate.ts'
import { importModule } from '../../scripts/build/modules/read-module.ts'
import { distDir, workDir } from '../../scripts/build/paths.ts'
import { loadProfile } from '../../scripts/build/plan/load-profile.ts'
import type { LocatedFeature } from '../../scripts/build/plan/locate-feature.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import type { Plan } from '../../scripts/build/plan/target-plan.ts'
import { isDeep } from '../support/count.ts'
import { checkedTarget } from '../support/openapi.ts'
import { answersAsDeclared } from '../support/own-answers.ts'
import { skip } from '../support/skip.ts'
import { bySettings, casesOf, choose, type Planned } from './cases.ts'
import { freshEngines, startEngines, withoutEngines } from './engines.ts'
import { checkAnswer } from './expect.ts'
import { exportsOf, type Form, formsOf, type Quick, type Started } from './forms.ts'
import { createLanes, type Lanes, type Result } from './lanes.ts'
import { nest } from './settings.ts'

/** How many cases passed and failed on a form, and how many were not run, by reason. */
export interface Count {
  passed: number
  failed: number
  readonly notRun: Record<string, number>
}

type Counts = Record<string, Count>

const newCount = (): Count => ({ passed: 0, failed: 0, notRun: {} })

function leaveOut({ notRun }: Count, reason: string, cases = 1): void {
  notRun[reason] = (notRun[reason] ?? 0) + cases
}

/** The cases of a profile that only `make test-deep` runs, because the suites of another profile run them. */
export interface Elsewhere {
  /** The names of the forms that are left out. */
  readonly forms?: readonly string[]
  /** Selects the cases of the other forms. */
  readonly quick?: Quick
  /** How many services run side by side. The default is 1, because the runner runs several files at a time. */
  readonly lanes?: number
}

/** Registers and runs the suites of a profile, by name or by path. The counts are written to `.build/conformance/`. */
export async function conformance(nameOrPath: string, elsewhere: Elsewhere = {}): Promise<void> {
  const planned = await withContracts(nameOrPath)
  const counts: Counts = {}
  let cases = 0
  const reason = withoutEngines(planned)
  if (reason !== undefined) {
    const test = suite(nameOrPath)
    skip(test, `${nameOrPath}, all forms`, reason)
    test.run()
    return
  }
  const stopEngines = await startEngines(planned)
  const lanes = createLanes(elsewhere.lanes ?? 1)
  for (const form of formsOf(planned)) {
    const quick = form.nodes === undefined ? (elsewhere.quick ?? form.quick) : undefined
    if (!isDeep() && elsewhere.forms?.includes(form.name)) continue
    cases += runForm(planned, { ...form, ...(quick && { quick }) }, counts, lanes)
  }
  checkShape(planned, counts, cases, stopEngines)
  process.once('exit', () => saveCounts(planned.profile.name, counts))
}

/**
 * Adds the contracts of a user's profile. A plan reads the profile as data, but cases may be functions, so this
 * function imports the profile.
 */
async function withContracts(nameOrPath: string): Promise<Plan> {
  const planned = await plan(nameOrPath)
  const { ownFeatures } = await loadProfile(nameOrPath, process.cwd(), importModule)
  return { ...planned, knownFeatures: { ...planned.knownFeatures, ...ownFeatures } }
}

/** Registers the suite of a form and returns the number of its cases that run. */
function runForm(planned: Plan, form: Form, counts: Counts, lanes: Lanes): number {
  const test = suite(`${planned.profile.name}, ${form.name}`)
  const count = (counts[form.name] = newCount())
  if (form.skip !== undefined) {
    skip(test, `${planned.profile.name}, ${form.name}`, form.skip)
    test.run()
    return 0
  }
  const register = (name: string, run: () => Promise<void>): void => {
    test(name, async () => {
      count.failed++
      await run()
      count.failed--
      count.passed++
    })
  }
  const { runnable, reasons } = casesOf(planned, form)
  for (const reason of reasons) leaveOut(count, reason)
  const { chosen, left } = isDeep() ? { chosen: runnable, left: 0 } : choose(runnable, form.quick)
  if (left > 0) leaveOut(count, `only in make test-deep: ${form.quick!.elsewhere}`, left)
  const isChosen = ({ name }: Planned): boolean => isWanted(`${planned.profile.name}, ${form.name} ${name}`)
  for (const planned of chosen.filter(isChosen)) {
    const { name, own, one } = planned
    if (kindOf(one) === 'command')
      register(name, lanes.add([() => form.command!(one as CommandCase)], own !== undefined && hasSettings(one))[0]!)
    else if (kindOf(one) === 'call') register(name, () => form.call!(one as CallCase))
  }
  const groups = bySettings(chosen.filter((planned) => kindOf(planned.one) === 'http' && isChosen(planned)))
  const unreported: Result[] = []
  for (const [settings, group] of groups) {
    const service = serviceOf(form, settings)
    const steps = (group as (Planned & { readonly one: HttpCase })[]).map((planned) => () => runCase(service, planned))
    const isExclusive = group.some(({ own, one }) => own !== undefined && hasSettings(one))
    const results = lanes.add([...steps, service.stop], isExclusive)
    for (const [index, { name }] of group.entries()) register(name, results[index]!)
    const name = `stops cleanly with ${settings}`
    if (isWanted(`${planned.profile.name}, ${form.name} ${name}`)) test(name, results.at(-1)!)
    else unreported.push(results.at(-1)!)
  }
  test.after(async () => {
    for (const stopped of unreported) await stopped()
    await form.end?.()
  })
  if (chosen.length === 0)
    test('the suite has cases', () => assert.unreachable('no case of any contract runs on this form'))
  test.run()
  return chosen.length
}

/** The service of a group of cases. */
interface Service {
  started(): Promise<Started>
  stop(): Promise<void>
}

/** The service of a form with these settings, started by the first case that needs it. */
function serviceOf(form: Form, settings: string): Service {
  let started: Started | undefined
  return {
    started: async () => {
      if (started === undefined) freshEngines()
      return (started ??= await form.start!(JSON.parse(settings) as Record<string, unknown>))
    },
    stop: async () => started?.stop(),
  }
}

async function runCase(service: Service, { own, side, one }: Planned & { readonly one: HttpCase }): Promise<void> {
  const surface = one.surface ?? 'runtime'
  const found = (await service.started()).on(surface)
  assert.ok(found, `this form does not serve the ${surface} surface`)
  const target = checked(found, surface, side, own)
  if (one.steps !== undefined) await one.steps(target)
  else checkAnswer(await target.request(one.send!), one.expect!)
}

/**
 * Whether a test runs. A run of chosen tests by name leaves the others out by itself, but only after their cases would
 * have been run ahead.
 */
function isWanted(name: string): boolean {
  return name.includes(process.env['SVC_TEST_GREP'] ?? '')
}

/** The settings of a user's case may name something that the machine has once, such as a port. */
function hasSettings({ given = {} }: Case): boolean {
  return Object.keys(given).length > 0
}

/** A target of which each answer is compared with what is declared of it. */
function checked(target: Target, surface: SurfaceName, side: Planned['side'], own: LocatedFeature | undefined): Target {
  if (own === undefined) return checkedTarget(target, surface, side)
  return own.value === undefined || side === 'absent' ? target : answersAsDeclared(target, own.value, surface)
}

/** Checks the build: its routes, settings and exports are exactly those of its features. */
function checkShape(
  { knownFeatures, profile, targets }: Plan,
  counts: Counts,
  cases: number,
  after: () => Promise<void>,
): void {
  const test = suite(`${profile.name}, shape`)
  const count = (counts['shape'] = newCount())
  const check = (name: string, run: () => Promise<void> | void): void => {
    test(name, async () => {
      count.failed++
      await run()
      count.failed--
      count.passed++
    })
  }
  for (const [id, { contract }] of Object.entries(knownFeatures))
    for (const name of ['present', 'absent'] as const) {
      const side = contract[name]
      if ('none' in side) leaveOut(count, `${id} (${name}): ${side.none}`)
    }
  check('the suites have cases', () => assert.ok(cases > 0, 'no case of any contract runs on this profile'))
  const dist = distDir(profile.name)
  for (const library of targets.filter(({ form }) => form !== 'main')) {
    const file = join(dist, outputName(library))
    check(`the ${library.form} exports its manifest and the exports of its features`, async () => {
      const names = Object.keys((await import(pathToFileURL(file).href)) as object).sort()
      assert.equal(names, [...Object.keys(exportsOf(library)), 'manifest'].sort())
    })
    const absentSettings = Object.keys(library.absent.settings)
    if ('createRuntime' in exportsOf(library) && absentSettings.length > 0) {
      check(`the ${library.form} refuses every setting of an absent feature and names its owners`, async () => {
        const { createRuntime } = (await import(pathToFileURL(file).href)) as {
          createRuntime: (options: unknown) => unknown
        }
        const settings = nest(Object.fromEntries(absentSettings.map((key) => [key, 'x'])))
        try {
          createRuntime({ settings })
          assert.unreachable('the settings were accepted')
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
  for (const { form, manifest, features } of targets) {
    check(`the ${form} has exactly the routes of its features`, () => {
      const manifests = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<
        string,
        { routes: { surface: string; method: string; path: string }[] }
      >
      const shipped = manifests[outputName({ form })]!.routes
      assert.equal(shipped, manifest.routes)
      const own = features.flatMap(({ plugin }) => plugin?.routes ?? []).map(({ method, path }) => `${method} ${path}`)
      assert.equal(shipped.map(({ method, path }) => `${method} ${path}`).sort(), own.sort())
    })
  }
  test.after(after)
  test.run()
}

function saveCounts(profile: string, counts: Counts): void {
  const folder = join(workDir, '.build', 'conformance')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${profile}.json`), JSON.stringify(counts))
}
