/** Deprecated and removed features, and profiles with a minimum stability. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Feature, Profile } from '../../../core/declare/matrix.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import type { PlannedFeature } from '../../../scripts/build/plan/plan-feature.ts'
import { lifecycleOf } from '../../../scripts/build/policy/lifecycle.ts'
import { featureText } from '../../support/feature-text.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('life of a feature')

const deprecation = { since: '1.2.0', remove: '2.0.0', use: 'edge.new' } as const

function lifecycle(
  row: Partial<Feature>,
  { version = '1.5.0', minStability }: { version?: string; minStability?: Profile['minStability'] } = {},
): { codes: string[]; messages: string; warnings: readonly string[] } {
  const feature = { summary: 's', stability: 'stable', since: '1.0.0', platform: 'bare', contract: {}, ...row }
  const planned = { id: 'edge.old', feature, variant: undefined, module: undefined, plugin: undefined }
  const { problems, warnings } = lifecycleOf([planned as unknown as PlannedFeature], { minStability }, version)
  return {
    codes: problems.map(({ code }) => code),
    messages: problems.map(({ message, hint }) => `${message} ${hint}`).join('\n'),
    warnings,
  }
}

test('a deprecated feature gives a warning from its version on, and is refused from its removal on', () => {
  assert.equal(lifecycle({ deprecated: deprecation }, { version: '1.1.9' }), { codes: [], messages: '', warnings: [] })
  assert.equal(lifecycle({ deprecated: deprecation, owner: 'edge@example.org' }, { version: '1.2.0' }).warnings, [
    'edge.old is deprecated since 1.2.0 and goes with 2.0.0: use edge.new. edge@example.org answers for it.',
  ])
  assert.equal(lifecycle({ deprecated: deprecation }, { version: '2.0.0-rc.1' }).codes, [])
  for (const version of ['2.0.0', '2.0.1', '10.0.0']) {
    const { codes, messages, warnings } = lifecycle({ deprecated: deprecation }, { version })
    assert.equal([codes, warnings], [['ERR_FEATURE_REMOVED'], []], version)
    assert.match(messages, `edge.old is gone with 2.0.0, and this is ${version}. Use edge.new.`)
  }
})

test('an empty or invalid deprecation is refused', () => {
  const wrong: Feature['deprecated'][] = [
    { ...deprecation, remove: '1.2.0' },
    { ...deprecation, remove: 'soon' },
    { ...deprecation, since: '' },
    { ...deprecation, use: '' },
    {} as never,
  ]
  for (const deprecated of wrong) assert.equal(lifecycle({ deprecated: deprecated! }).codes, ['ERR_FEATURE_MODULE'])
  assert.equal(lifecycle({ stability: 'deprecated' }).codes, ['ERR_FEATURE_MODULE'])
})

test('minStability orders experimental, deprecated, stable', () => {
  const refused = (stability: Feature['stability'], minStability: Profile['minStability']): boolean => {
    const { codes } = lifecycle({ stability, deprecated: deprecation }, { version: '1.0.0', minStability })
    return codes.includes('ERR_FEATURE_STABILITY')
  }
  assert.equal(
    [refused('experimental', 'stable'), refused('deprecated', 'stable'), refused('stable', 'stable')],
    [true, true, false],
  )
  assert.equal([refused('experimental', 'deprecated'), refused('deprecated', 'deprecated')], [true, false])
  assert.is(refused('experimental', 'experimental'), false)
  assert.equal(lifecycle({}, { minStability: 'settled' as never }).codes, ['ERR_PROFILE_INVALID'])
})

test('minStability refuses a profile and its children, and a plan contains the warnings', async () => {
  const profile = (name: string, more: string): string => `export const profile = {
    name: '${name}', summary: 's', library: { platform: 'web', features: { 'edge.old': true } }, ${more}
    own: { 'edge.old': './feature.ts' } }`
  const folder = folderWith({
    'feature.ts': featureText({
      id: 'edge.old',
      platform: 'bare',
      about: "deprecated: { since: '0.0.1', remove: '99.0.0', use: 'nothing' }",
      does: 'setup() {},',
    }),
    'warned.ts': profile('warned', ''),
    'strict.ts': profile('strict', "minStability: 'stable',"),
    'child.ts': "export const profile = { name: 'child', summary: 's', extends: './strict.ts', library: {} }",
  })
  const { warnings } = await plan(`${folder}/warned.ts`)
  assert.equal(warnings, ['edge.old is deprecated since 0.0.1 and goes with 99.0.0: use nothing.'])
  for (const file of ['strict.ts', 'child.ts']) {
    const error = await plan(`${folder}/${file}`).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    assert.match(error?.message ?? '', /ERR_FEATURE_STABILITY: edge\.old is experimental/, file)
  }
})

test.run()
