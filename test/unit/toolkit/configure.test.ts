/** The model of `svc-build configure`: the choice, what comes along, the planner's verdict, sizes, and the screen. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { Account } from '../../../scripts/build/account/account.ts'
import type { Problem } from '../../../scripts/build/errors.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { planLoaded } from '../../../scripts/build/plan/plan.ts'
import {
  type Catalogue,
  type Choice,
  openCatalogue,
  variantsOf,
  whereIs,
} from '../../../scripts/toolkit/configure/model/catalogue.ts'
import {
  changesOf,
  choiceOf,
  chooseVariant,
  switchOff,
  switchOn,
  toggle,
} from '../../../scripts/toolkit/configure/model/choice.ts'
import { nextVariants } from '../../../scripts/toolkit/configure/model/cycle.ts'
import { type Figures, noFigures, withAccount } from '../../../scripts/toolkit/configure/model/figures.ts'
import { sizeOf } from '../../../scripts/toolkit/configure/model/size.ts'
import { profileWith, verdictOf } from '../../../scripts/toolkit/configure/model/verdict.ts'
import { viewOf } from '../../../scripts/toolkit/configure/model/view.ts'
import { changeWords, sizeWords } from '../../../scripts/toolkit/configure/model/words.ts'
import { draw } from '../../../scripts/toolkit/configure/terminal/draw.ts'
import { type Key, press, type ScreenState } from '../../../scripts/toolkit/configure/terminal/state.ts'
import { countOf } from '../../support/count.ts'

const test = suite('svc-build configure: the model')

const minimal = await openCatalogue(await loadProfile('minimal'))
const full = await openCatalogue(await loadProfile('server-full'))
const embedded = await openCatalogue(await loadProfile('embedded-mobile'))
const ids = Object.keys(minimal.knownFeatures)

/** One random change. */
interface Step {
  readonly id: string
  readonly kind: 'toggle' | 'main' | 'both' | 'variant'
  readonly pick: number
}

const steps = fc.array(
  fc.record<Step>({
    id: fc.constantFrom(...ids),
    kind: fc.constantFrom('toggle', 'toggle', 'main', 'both', 'variant'),
    pick: fc.nat(3),
  }),
  { minLength: 1, maxLength: 12 },
)

function made(catalogue: Catalogue, all: readonly Step[]): Choice {
  return all.reduce((choice, { id, kind, pick }) => {
    if (kind === 'toggle') return toggle(catalogue, choice, id)
    if (kind !== 'variant') return switchOn(catalogue, choice, id, kind)
    const names = variantsOf(catalogue.knownFeatures[id]!).filter((one) => one !== true)
    return names.length === 0
      ? choice
      : chooseVariant(catalogue, choice, id, names[pick % names.length]!, pick > 1 ? 'library' : undefined)
  }, choiceOf(catalogue.profile))
}

/** The problems that the planner reports. */
async function planned(catalogue: Catalogue, choice: Choice): Promise<{ code: string; message: string }[]> {
  try {
    await planLoaded(profileWith(catalogue, choice), true)
    return []
  } catch (error) {
    if (!isSvcError(error)) throw error
    const problems = error.details?.['problems'] as readonly Problem[] | undefined
    return (problems ?? [error]).map(({ code, message }) => ({ code, message }))
  }
}

for (const [name, catalogue] of Object.entries({ minimal, full, embedded })) {
  test(`${name}: after any changes, the named conflicts are those of the planner`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const choice = made(catalogue, all)
        const found = verdictOf(catalogue, choice).conflicts.map(({ code, message }) => ({ code, message }))
        assert.equal(found, await planned(catalogue, choice))
      }),
      { numRuns: countOf({ quick: 12, deep: 400 }) },
    )
  })

  test(`${name}: switching a feature on brings what it needs, and switching it off again leaves what was there`, () => {
    const before = choiceOf(catalogue.profile)
    for (const id of ids) {
      if (whereIs(before, id) !== undefined) continue
      const on = switchOn(catalogue, before, id)
      const missing = verdictOf(catalogue, on).conflicts.filter(
        ({ code, message }) => code === 'ERR_FEATURE_REQUIRES' && !message.includes('main module'),
      )
      const runs = verdictOf(catalogue, on).conflicts.every(({ code }) => code !== 'ERR_FEATURE_PLATFORM')
      if (runs && catalogue !== embedded) assert.equal(missing, [], id)
      assert.equal(changesOf(before, switchOff(catalogue, on, id)), [], id)
    }
  })

  test(`${name}: nothing needs a feature that was switched off`, () => {
    const before = choiceOf(catalogue.profile)
    for (const id of ids.filter((one) => whereIs(before, one) !== undefined)) {
      const { conflicts } = verdictOf(catalogue, switchOff(catalogue, before, id))
      assert.equal(
        conflicts.filter(({ message }) => message.includes(` requires ${id}`)),
        [],
        id,
      )
    }
  })
}

test('what comes along is named, and goes again when nothing needs it', () => {
  const before = choiceOf(minimal.profile)
  const on = switchOn(minimal, before, 'kbd.mcp')
  const words = changeWords('kbd.mcp', changesOf(before, on))
  assert.match(words[0]!, /^on: kbd\.mcp \(program\)$/)
  assert.match(words[1]!, /^comes along: .*sync\.engine \(program\).*kbd\.engine \(program\)/)
  assert.ok(on.along.has('sync.engine') && !on.along.has('kbd.mcp'))
  const kept = switchOff(minimal, switchOn(minimal, on, 'sync.engine'), 'kbd.mcp')
  assert.is(whereIs(kept, 'sync.engine'), 'main', 'what a person has asked for stays')
  assert.is(whereIs(kept, 'kbd.engine'), undefined)
})

test('a feature goes where it runs: variants by the platform of each bundle, programs into the program', () => {
  const without = switchOff(minimal, choiceOf(minimal.profile), 'auth.api-keys')
  const again = switchOn(minimal, without, 'auth.api-keys')
  assert.equal([again.library['auth.api-keys'], again.main!['auth.api-keys']], ['in-place', 'threads'])
  assert.is(whereIs(switchOn(minimal, without, 'telemetry.metrics'), 'telemetry.metrics'), 'main')
  assert.is(whereIs(switchOn(minimal, without, 'openapi'), 'openapi'), 'main')
})

test('keys go through all combinations of variants that run', () => {
  const logs = {
    chosen: { library: 'console', main: 'lite' },
    fitting: { library: ['console'], main: ['pino', 'lite', 'console'] },
  } as const
  assert.equal(nextVariants(logs, 1), [['main', 'console']])
  assert.equal(nextVariants(logs, -1), [['main', 'pino']])
  assert.equal(nextVariants({ chosen: { library: 'web' }, fitting: { library: ['web'] } }, 1), [])
})

/** An account of the library of minimal without telemetry.logs, with round numbers. */
function account(more: Readonly<Record<string, number>> = {}): Account {
  const owners = { core: 1_000, 'feature:probes': 100, 'package:jose': 50, ...more }
  const features = Object.fromEntries(
    Object.keys(owners).flatMap((owner) => {
      const [, id, variant] = /^(?:feature|variant):([^=]+)(?:=(.+))?$/.exec(owner) ?? []
      return id === undefined ? [] : [[id, { in: { library: variant ?? true } }]]
    }),
  )
  const inputs = Object.fromEntries(
    Object.entries(owners).map(([owner, bytes]) => [owner, { bytes, owner, imports: ['node:fs', './x.ts'] }]),
  )
  const bytes = Object.values(owners).reduce((sum, one) => sum + one, 0)
  const bundle = { file: 'index.mjs', form: 'library', inputs, bytes, gzipBytes: 400, gzipTotal: 400, builtins: [] }
  return { features, bundles: [bundle] } as unknown as Account
}

test('a size is measured for exactly the measured choice, and else an estimate that says so', () => {
  const libraryOf = (library: Choice['library']): Choice => ({ library, main: undefined, along: new Set() })
  let figures: Figures = withAccount(noFigures, account(), 'a build', true)
  const exact = sizeOf(minimal, figures, libraryOf({ probes: true }), 'library')
  assert.equal([exact.bytes, exact.isMeasured, exact.gzipBytes], [1_150, true, 400])
  const unknown = sizeOf(minimal, figures, libraryOf({ probes: true, 'auth.guard': 'node' }), 'library')
  assert.equal([unknown.bytes, unknown.isMeasured, unknown.unmeasured], [1_200, false, ['auth.guard=node']])
  assert.match(sizeWords(unknown), /^≈ 1\.2 KiB, without 1 unmeasured$/)
  figures = withAccount(figures, account({ 'variant:auth.guard=node': 30 }), 'another build', false)
  const estimate = sizeOf(minimal, figures, libraryOf({ probes: true, 'auth.guard': 'node' }), 'library')
  assert.equal([estimate.bytes, estimate.isMeasured, estimate.unmeasured], [1_230, false, []])
  assert.match(estimate.from, /^estimate: index\.mjs of a build/)
  assert.is(sizeOf(minimal, noFigures, libraryOf({ probes: true }), 'library').bytes, undefined)
})

const start: ScreenState = { mode: 'list', id: 'auth.api-keys', search: '', scroll: 0, message: [], plan: undefined }

test('each line of the screen is as wide as the terminal, and no text of a plugin controls it', () => {
  const view = viewOf(full, noFigures, switchOn(full, choiceOf(full.profile), 'cluster.postgres'))
  const rows = view.rows.map((row, index) => (index === 0 ? { ...row, summary: 'a\u001b[2Jb\u0007\nc' } : row))
  for (const mode of ['list', 'search', 'details', 'help', 'save', 'quit'] as const)
    for (const screen of [
      { columns: 80, rows: 24 },
      { columns: 40, rows: 14 },
      { columns: 200, rows: 60 },
      { columns: 20, rows: 5 },
    ]) {
      const plan = { choice: choiceOf(full.profile), text: 'x', lines: ['+ x'], notes: ['note'] }
      const lines = draw({ ...start, mode, plan }, { ...view, rows }, { file: 'edge.ts', isChanged: true }, screen)
      assert.is(lines.length, screen.rows)
      for (const { text } of lines) {
        assert.is(text.length, screen.columns, `${mode}: ${text}`)
        assert.not.match(text, /[\u0000-\u001f]/)
      }
    }
})

test('the keys move, search, and ask before changes are lost', () => {
  const view = viewOf(minimal, noFigures, choiceOf(minimal.profile))
  const after = (keys: readonly Key[]): ScreenState =>
    keys.reduce((state, key) => press(state, key, view, 10).state, { ...start, id: view.rows[0]!.id })
  const typed = (text: string): Key[] => [...text].map((sequence) => ({ sequence, name: sequence }))
  assert.is(after([{ name: 'down' }, { name: 'down' }, { name: 'up' }]).id, view.rows[1]!.id)
  assert.is(after([{ name: 'end' }]).id, view.rows.at(-1)!.id)
  assert.is(after([{ name: 'up' }]).id, view.rows[0]!.id)
  const searched = after([{ sequence: '/' }, ...typed('prometheus'), { name: 'return' }])
  assert.equal([searched.mode, searched.id], ['list', 'telemetry.metrics'])
  assert.is(after([{ sequence: '/' }, ...typed('zzz'), { name: 'escape' }]).search, '')
  assert.equal(press(start, { name: 'space' }, view, 10).action, { do: 'toggle' })
  assert.equal(press({ ...start, mode: 'quit' }, { name: 'x' }, view, 10).action, undefined)
  assert.equal(press({ ...start, mode: 'quit' }, { name: 'y' }, view, 10).action, { do: 'end' })
  assert.equal(press({ ...start, mode: 'search' }, { name: 'c', ctrl: true }, view, 10).action, { do: 'end' })
  const plan = { choice: choiceOf(minimal.profile), text: undefined, lines: ['x'], notes: [] }
  assert.is(press({ ...start, mode: 'save', plan }, { name: 'y' }, view, 10).action, undefined, 'nothing to write')
})

test.run()
