/** The controls of the absence proof: they pass for every absence of every profile, and fail for a wrong proof. */
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Bundle, bundle } from '../../../scripts/build/bundle/bundle.ts'
import { generateTarget, outputName } from '../../../scripts/build/generate/generate.ts'
import { standardProfiles } from '../../../scripts/build/plan/load-profile.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import { type PlannedFeature, planFeature } from '../../../scripts/build/plan/plan-feature.ts'
import type { Plan } from '../../../scripts/build/plan/target-plan.ts'
import { allowedOwners, attribute } from '../../../scripts/build/prove/attribute.ts'
import { checkMissing } from '../../../scripts/build/prove/checks.ts'
import { checkBasis } from '../../../scripts/build/prove/controls/basis.ts'
import { runControls } from '../../../scripts/build/prove/controls/controls.ts'
import { bundlesOf } from '../../../scripts/build/prove/controls/owners.ts'
import { bytesIn } from '../../../scripts/build/prove/controls/positives.ts'
import { prove } from '../../../scripts/build/prove/prove.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('controls')

for (const name of standardProfiles()) {
  test(`every absence of ${name} has a positive and a mutation control`, async () => {
    const planned = await plan(name)
    const bundles = await bundlesOf(planned)
    for (const { out, file } of await prove(planned, bundles)) {
      for (const [feature, { bytes, positive, mutation }] of Object.entries(out)) {
        assert.is(bytes, 0)
        assert.ok(positive !== null && positive.bytes > 0, `${file}: no profile contains ${feature}`)
        assert.match(mutation, /^(plugins\/|openapi\.json$)/, `${file}: ${feature}`)
      }
      const absent = Object.keys(planned.known).filter(
        (id) => !Object.keys(out).some((key) => key.split('=')[0] === id),
      )
      const target = planned.targets.find((candidate) => outputName(candidate) === file)!
      for (const id of absent)
        assert.ok(
          target.features.some((feature) => feature.id === id),
          `${file} does not mention ${id}`,
        )
    }
  })
}

test('all bytes of a bundle are attributed to owners', async () => {
  const planned = await plan('minimal')
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

async function metricsIn(planned: Plan): Promise<PlannedFeature> {
  return planFeature('telemetry.metrics', true, planned.known['telemetry.metrics']!)
}

test('a mutation that changes nothing fails the proof', async () => {
  const planned = await plan('minimal')
  const target = planned.targets[0]!
  // The plugin of metrics is replaced by the module of a feature that is present anyway.
  const probes = planned.known['probes']!.plugin!
  const disguised: Plan = {
    ...planned,
    known: { ...planned.known, 'telemetry.metrics': { ...planned.known['telemetry.metrics']!, plugin: probes } },
  }
  const delivered = await bundle(generateTarget(disguised, target))
  const { problems, proofs } = await runControls(
    disguised,
    delivered,
    [await metricsIn(disguised)],
    async () => undefined,
  )
  assert.equal(
    problems.map(({ code }) => code),
    ['ERR_PROOF_CONTROL'],
  )
  assert.match(problems[0]!.message, 'with telemetry.metrics switched on, the proof still finds nothing of it')
  assert.is(proofs['telemetry.metrics']!.mutation, '')
})

test('a bundle that differs from its account, or from the basis of the controls, is refused', async () => {
  const planned = await plan('minimal')
  const [target] = planned.targets
  const delivered = await bundle(generateTarget(planned, target!))
  const messageOf = async (changed: Partial<Bundle>): Promise<string> => {
    const { problems } = await runControls(planned, { ...delivered, ...changed }, [], async () => undefined)
    return problems.map(({ message }) => message).join('\n')
  }
  assert.is(await messageOf({}), '')
  const other = /^library: the bundle that was made is not the one that its account is of\.$/
  assert.match(await messageOf({ sha256: '0'.repeat(64) }), other)
  assert.match(await messageOf({ text: `${delivered.text} ` }), other)
  assert.match(await messageOf({ bytes: delivered.bytes + 1 }), other)
  const { inputs } = delivered.metafile
  const [file, account] = Object.entries(inputs).find(([name]) => name.startsWith('plugins/'))!
  const { [file]: _, ...fewer } = inputs
  for (const [changed, differs] of [
    [fewer, file],
    [{ ...inputs, 'plugins/none.ts': account }, 'plugins/none.ts'],
  ] as const) {
    const message = await messageOf({ metafile: { ...delivered.metafile, inputs: changed } })
    assert.is(message, `library: the controls read other files than the bundle has: ${differs}.`)
  }
})

test('controls of another text are refused: the text must be the same after its defines are folded', async () => {
  const planned = await plan('minimal')
  const [target] = planned.targets
  const text = generateTarget(planned, target!)
  const delivered = await bundle(text)
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

test('every define that is off has the number of bytes that it saves', async () => {
  const planned = await plan('minimal')
  const bundles = await bundlesOf(planned)
  const [library] = await prove(planned, bundles)
  assert.ok(library!.out['telemetry.metrics']!.saves > 50_000)
  assert.ok(library!.out['transport.node-http']!.saves > 1_000)
  assert.is(library!.defines['__TELEMETRY_METRICS__'], false)
  assert.is(library!.defines['__AUTH_GUARD__'], 'web')
})

test('a profile that has a feature without any of its bytes fails the positive control', async () => {
  const planned = await plan('minimal')
  const target = planned.targets[0]!
  const delivered = await bundle(generateTarget(planned, target))
  const metrics = await metricsIn(planned)
  const bytes = bytesIn({ plan: planned, metafile: delivered.metafile }, metrics)
  const { problems } = await runControls(planned, delivered, [metrics], async () => ({ profile: 'pretended', bytes }))
  assert.equal(
    problems.map(({ code }) => code),
    ['ERR_PROOF_CONTROL'],
  )
  assert.match(problems[0]!.message, 'profile pretended has telemetry.metrics, and no byte')
})

test('a feature whose plugin is not in the bundle is reported as missing', async () => {
  const planned = await plan('minimal')
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
