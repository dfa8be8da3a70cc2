/** Every case of every contract runs somewhere: a case that no profile can run would pass whatever it says. */
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Case, Contract, HttpCase } from '../../core/testing/contract.ts'
import { root } from '../../scripts/build/paths.ts'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import type { TargetPlan } from '../../scripts/build/plan/target-plan.ts'

const test = suite('every case')

/** The profiles whose suites the tests run. */
const PROFILES: readonly string[] = [
  ...['server-full', 'server-cluster', 'minimal', 'embedded-mobile', 'embedded-native'],
  join(import.meta.dirname, 'profiles/sparse.ts'),
  join(root, 'docs/examples/pocket-board/profile.ts'),
]

type Runs = Pick<TargetPlan, 'form'> & { readonly ids: ReadonlySet<string> }

/** Whether a target can run a case of a feature's side. */
function canRun({ form, ids }: Runs, id: string, side: 'present' | 'absent', one: Case): boolean {
  const { surface, send } = one as HttpCase
  return (
    ids.has(id) === (side === 'present') &&
    (one.needs ?? []).every((needed) => ids.has(needed)) &&
    (surface !== 'local' || (form === 'main' && ids.has('transport.unix'))) &&
    (send?.as === undefined || ids.has('auth.jwt'))
  )
}

/** The cases that no target runs, as `feature (side): name`. */
function idle(targets: readonly Runs[], id: string, contract: Contract | undefined): string[] {
  return (['present', 'absent'] as const).flatMap((side) => {
    const cases = contract?.[side] ?? []
    if ('none' in cases) return []
    return cases
      .filter((one) => !targets.some((target) => canRun(target, id, side, one)))
      .map(({ name }) => `${id} (${side}): ${name}`)
  })
}

test('a profile that the tests run can run it', async () => {
  const planned = await Promise.all(PROFILES.map((profile) => plan(profile)))
  const targets = planned.flatMap((one) =>
    one.targets.map(({ form, features }) => ({ form, ids: new Set(features.map(({ id }) => id)) })),
  )
  const features = Object.entries(matrixFeatures)
  assert.ok(features.some(([, { contract }]) => contract !== undefined))
  assert.equal(
    features.flatMap(([id, { contract }]) => idle(targets, id, contract)),
    [],
  )
})

test('a case that needs what no profile without the feature has is found', () => {
  const one: Case = { name: 'it is not there', needs: ['sync.api'], send: { path: '/x' }, expect: { status: 404 } }
  const contract: Contract = { present: { none: 'nothing' }, absent: [one] }
  const everything: Runs = { form: 'main', ids: new Set(['sync.api', 'admin.running']) }
  assert.equal(idle([everything], 'admin.running', contract), ['admin.running (absent): it is not there'])
  assert.equal(idle([{ form: 'main', ids: new Set(['sync.api']) }], 'admin.running', contract), [])
})

test.run()
