/** Every case of every contract runs somewhere: a case that no profile can run would pass whatever it says. */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Contract, casesOn } from '../../core/testing/contract.ts'
import { root } from '../../scripts/build/paths.ts'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { standardProfiles } from '../../scripts/build/plan/read-profile.ts'
import type { Plan } from '../../scripts/build/plan/target-plan.ts'
import { casesOf } from './cases.ts'
import { formsOf } from './forms.ts'
import { ABSENT } from './profiles/sparse.ts'

const test = suite('every case')

const folder = import.meta.dirname

/** The profiles whose suites the tests run: each other test file of this folder has the name of its profile. */
const tested = readdirSync(folder)
  .filter((file) => file.endsWith('.test.ts') && file !== basename(import.meta.filename))
  .map((file) => file.slice(0, -'.test.ts'.length))

/** The profile whose suites `test/e2e/sync/pocket-board.test.ts` runs. */
const pocketBoard = join(root, 'docs/examples/pocket-board/profile.ts')

const planned: readonly Plan[] = await Promise.all([
  ...tested.map((name) => plan(standardProfiles().includes(name) ? name : join(folder, 'profiles', `${name}.ts`))),
  plan(pocketBoard),
])

const contracts = Object.fromEntries(Object.entries(matrixFeatures).map(([id, { contract }]) => [id, contract]))

/** The cases of these contracts that no form of a profile runs, as `feature (side): name`. */
function idle(plans: readonly Plan[], contracts: Readonly<Record<string, Contract>>): string[] {
  const run = new Set(
    plans.flatMap((one) => formsOf(one).flatMap((form) => casesOf(one, form).runnable.map(({ name }) => name))),
  )
  return Object.entries(contracts).flatMap(([id, contract]) =>
    (['present', 'absent'] as const).flatMap((side) =>
      casesOn(contract[side])
        .map(({ name }) => `${id} (${side}): ${name}`)
        .filter((name) => !run.has(name)),
    ),
  )
}

test('every profile of ours has a test file', () =>
  assert.equal(
    standardProfiles().filter((name) => !tested.includes(name)),
    [],
  ))

test('a form of a profile that the tests run can run it', () => assert.equal(idle(planned, contracts), []))

test('what only sparse can run, it runs', () => {
  const others = planned.filter(({ profile }) => profile.name !== 'sparse')
  const features = idle(others, contracts).map((name) => name.slice(0, name.indexOf(' (absent): ')))
  assert.equal([...new Set(features)].sort(), ABSENT)
})

test('a case that needs what no profile without the feature has is found', () => {
  const id = 'admin.running'
  const one = { name: 'it is not there', needs: ['sync.api'], send: { path: '/x' }, expect: { status: 404 } } as const
  const contract: Contract = { present: { none: 'nothing' }, absent: [one] }
  const only = (name: string): readonly Plan[] =>
    planned
      .filter(({ profile }) => profile.name === name)
      .map((of) => ({ ...of, knownFeatures: { [id]: { ...of.knownFeatures[id]!, contract } } }))
  for (const name of ['server-full', 'minimal'])
    assert.equal(idle(only(name), { [id]: contract }), [`${id} (absent): it is not there`], name)
  assert.equal(idle(only('sparse'), { [id]: contract }), [])
})

test.run()
