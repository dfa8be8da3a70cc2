/** The uses of code that the features of the matrix declare are those that their code has. */
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Use } from '../../../core/declare/matrix.ts'
import { standardProfiles } from '../../../scripts/build/plan/read-profile.ts'
import { byVariant } from '../../../scripts/build/prove/attribute.ts'
import { checkForms, formsIn, usesOf } from '../../../scripts/build/prove/forms/uses.ts'
import { bundlesOf, planOf } from '../../support/bundles.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('declared uses')

test('every use of code that a feature of the matrix declares occurs in some bundle', async () => {
  const used = new Set<string>()
  const declared = new Set<string>()
  for (const profile of standardProfiles()) {
    const planned = await planOf(profile)
    for (const made of await bundlesOf(planned)) {
      const { target } = made
      const files = await formsIn(planned, made)
      for (const feature of target.features) {
        const ways = byVariant(feature.feature.uses, feature.variant)
        // Several features may declare a use for code that they share, so each feature is tested alone.
        const problemCount = async (uses: readonly Use[]): Promise<number> => {
          const features = target.features.map((other) => {
            return { ...other, feature: { ...other.feature, uses: other.id === feature.id ? uses : [] } }
          })
          return (await checkForms(planned, { ...made, target: { ...target, features } }, files)).length
        }
        for (const use of ways) {
          declared.add(`${feature.id}=${feature.variant} ${use}`)
          const without = await problemCount(ways.filter((other) => other !== use))
          if (without > (await problemCount(ways))) used.add(`${feature.id}=${feature.variant} ${use}`)
        }
      }
      assert.equal(await checkForms(planned, made, files), [])
      assert.ok(target.platform !== 'bare' || !('worker' in usesOf(files)))
    }
  }
  assert.equal(
    [...declared].filter((one) => !used.has(one)),
    [],
  )
})
