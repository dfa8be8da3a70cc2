/** The controls of the absence proof: they pass for every absence of every profile, and fail for a wrong proof. */
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Bundle, bundle } from '../../../scripts/build/bundle/bundle.ts'
import { generateTarget, outputName } from '../../../scripts/build/generate/generate.ts'
import { standardProfiles } from '../../../scripts/build/plan/read-profile.ts'
import type { Plan } from '../../../scripts/build/plan/target-plan.ts'
import { allowedOwners, attribute } from '../../../scripts/build/prove/attribute.ts'
import { checkMissing } from '../../../scripts/build/prove/checks.ts'
import {
  absentFeatures,
  bundleControls,
  checkBasis,
  controlText,
  judge,
  judgeControls,
  nameOf,
  switchedOn,
} from '../../../scripts/build/prove/controls.ts'
import { prove } from '../../../scripts/build/prove/prove.ts'
import { bundlesOf, planOf } from '../../support/bundles.ts'
import { isDeep } from '../../support/count.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('controls')

for (const name of standardProfiles()) {
  test(`every absence of ${name} has a positive and a mutation control`, async () => {
    const planned = await planOf(name)
    const proofs = await prove(planned, await bundlesOf(planned))
    for (const { out, file } of proofs) {
      for (const [feature, { bytes, positive, mutation }] of Object.entries(out)) {
        assert.is(bytes, 0)
        assert.ok(positive.bytes > 0, `${file}: no byte of ${feature} in its mutant`)
        assert.match(mutation, /^(plugins\/|openapi\.json$)/, `${file}: ${feature}`)
      }
      const absent = Object.keys(planned.knownFeatures).filter(
        (id) => !Object.keys(out).some((key) => key.split('=')[0] === id),
      )
      const target = planned.targets.find((candidate) => outputName(candidate) === file)!
      for (const id of absent)
        assert.ok(
          target.features.some((feature) => feature.id === id),
          `${file} does not mention ${id}`,
        )
    }
    if (name !== 'minimal') return
    // The bytes that a feature would add are in the proof.
    const [library] = proofs
    assert.ok(library!.out['telemetry.metrics']!.saves > 5_000)
    assert.ok(library!.out['transport.node-http']!.saves > 1_000)
    assert.is(library!.defines['__TELEMETRY_METRICS__'], false)
    assert.is(library!.defines['__AUTH_GUARD__'], 'web')
  })
}

test('a library in one file shares the mutants of the library, and a program has its own', async () => {
  const [library, single, main] = await bundleControls(await planOf('minimal'), () => false)
  assert.is(single!.unchanged, library!.unchanged)
  assert.is.not(main!.unchanged, library!.unchanged)
})

test('all bytes of a bundle are attributed to owners', async () => {
  const planned = await planOf('minimal')
  for (const { target, metafile, bytes } of await bundlesOf(planned)) {
    const found = attribute(planned, metafile)
    const sum = found.reduce((total, part) => total + part.bytes, 0)
    // The rest is the banner, the export list and the helpers of the bundler.
    assert.ok(sum > bytes * 0.97 && sum <= bytes, `${sum} of ${bytes}`)
    const allowed = allowedOwners(planned, target)
    assert.equal(
      found.filter(({ owner }) => !allowed.has(owner)),
      [],
    )
  }
})

/** Judges a bundle with the controls of some of the features that it lacks. */
async function judged(plan: Plan, delivered: Bundle, ids: readonly string[]): ReturnType<typeof judgeControls> {
  const [controls] = await bundleControls({ ...plan, targets: [delivered.target] }, ({ id }) => ids.includes(id))
  return judgeControls(plan, delivered, controls!)
}

test('a mutation that changes nothing fails the proof', async () => {
  const planned = await planOf('minimal')
  const target = planned.targets[0]!
  // The plugin of metrics is replaced by the module of a feature that is present anyway.
  const probes = planned.knownFeatures['probes']!.declaration!
  const disguised: Plan = {
    ...planned,
    knownFeatures: {
      ...planned.knownFeatures,
      'telemetry.metrics': { ...planned.knownFeatures['telemetry.metrics']!, plugin: probes, declaration: probes },
    },
  }
  const delivered = await bundle(generateTarget(disguised, target))
  const { problems, proofs } = await judged(disguised, delivered, ['telemetry.metrics'])
  assert.equal(
    problems.map(({ code }) => code),
    ['ERR_PROOF_CONTROL'],
  )
  assert.match(problems[0]!.message, 'with telemetry.metrics switched on, the proof still finds nothing of it')
  assert.is(proofs['telemetry.metrics']!.mutation, '')
})

test('a bundle that differs from its account, or from the basis of the controls, is refused', async () => {
  const planned = await planOf('minimal')
  const delivered = (await bundlesOf(planned))[0]!
  const messageOf = async (changed: Partial<Bundle>): Promise<string> => {
    const { problems } = await judged(planned, { ...delivered, ...changed }, [])
    return problems.map(({ message }) => message).join('\n')
  }
  assert.is(await messageOf({}), '')
  const other = /^library: the bundle that was made is not the one that its account is of\.$/
  assert.match(await messageOf({ sha256: '0'.repeat(64) }), other)
  assert.match(await messageOf({ text: `${delivered.text} ` }), other)
  assert.match(await messageOf({ bytes: delivered.bytes + 1 }), other)
  const { inputs } = delivered.metafile
  const file = Object.keys(inputs).find((name) => name.startsWith('plugins/'))!
  const { [file]: _, ...fewer } = inputs
  assert.is(
    await messageOf({ metafile: { ...delivered.metafile, inputs: fewer } }),
    `library: the controls read files that the bundle does not have: ${file}.`,
  )
})

test('controls of another text are refused: the text must be the same after its defines are folded', async () => {
  const planned = await planOf('minimal')
  const delivered = (await bundlesOf(planned))[0]!
  const text = generateTarget(planned, delivered.target)
  const basis = (change: (entry: string) => string): Promise<string[]> => {
    const files = { ...text.files, 'entry.ts': change(text.files['entry.ts']!) }
    return checkBasis(planned, delivered, { ...text, files }, delivered)
  }
  assert.equal(await basis((entry) => entry), [])
  assert.equal(await basis((entry) => `if (__TELEMETRY_METRICS__) await import('prom-client')\n${entry}`), [])
  for (const more of [
    "await import('prom-client')\n",
    "if (__PROBES__) await import('prom-client')\n",
    'console.info(1)\n',
  ])
    assert.equal(await basis((entry) => more + entry), ['the text of the controls makes another bundle.'])
})

test('a define that other files branch on is switched on in them too, if the generated text alone brings nothing', async () => {
  const planned = await planOf('minimal')
  const [target] = planned.targets
  // The feature without a plugin of its own: only files of other features could bring it, so its mutant has no byte of
  // it.
  const { plugin: _, ...bare } = planned.knownFeatures['telemetry.metrics']!
  const without: Plan = { ...planned, knownFeatures: { ...planned.knownFeatures, 'telemetry.metrics': bare } }
  const delivered = await bundle(generateTarget(without, target!))
  const { problems } = await judged(without, delivered, ['telemetry.metrics'])
  assert.match(problems[0]!.message, 'with telemetry.metrics switched on, the proof still finds nothing of it')
})

if (isDeep())
  for (const name of standardProfiles())
    test(`${name}: each absence is also found in a whole bundle, with packages, workers and pages`, async () => {
      const planned = await planOf(name)
      for (const target of planned.targets) {
        const absent = absentFeatures(planned, target)
        const text = controlText(planned, target, absent)
        for (const feature of absent) {
          const { bytes, mutation } = judge(planned, text, feature, await bundle(switchedOn(text, feature)))
          assert.ok(bytes > 0 && mutation !== '', `${target.form}: ${nameOf(feature)}`)
        }
      }
    })

test('a feature whose plugin is not in the bundle is reported as missing', async () => {
  const planned = await planOf('minimal')
  const [target] = planned.targets
  const without = { ...target!, defines: { ...target!.defines, __PROBES__: false } }
  const lacking = await bundle(generateTarget(planned, without))
  const problems = checkMissing(planned, { ...lacking, target: target! })
  assert.equal(
    problems.map(({ code }) => code),
    ['ERR_PROOF_MISSING'],
  )
  assert.match(problems[0]!.message, 'nothing of probes')
})
