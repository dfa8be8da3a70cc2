/** A family branches on the defines of its own features. What another family adds, it adds through a capability. */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { defineName } from '../../../scripts/build/plan/defines.ts'
import { matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'
import { textsOf } from '../sources.ts'

export const test: Test = suite('defines of families')

/** Files that may ask for a feature of another family, with the reason. */
const REASONS: Readonly<Record<string, string>> = {
  'plugins/realtime/runs/feature.ts __CLUSTER_NATS__':
    'whether a build has a store decides whether the file of shared runs is in it',
  'plugins/auth/guard/browser-page.ts __CONSOLE__': 'a page names the console only where there is one',
}

/** The family of each define of a feature. */
const families = new Map(Object.keys(matrixFeatures).map((id) => [defineName(id), id.split('.')[0]!]))

/** The uses of defines of other families, as `file define`. */
function foreign(texts: Iterable<readonly [string, string]>): string[] {
  return [...texts].flatMap(([file, text]) => {
    const [, family] = file.split('/')
    const used = new Set(text.match(/__[A-Z][A-Z\d_]*__/g))
    return [...used]
      .filter((name) => families.has(name) && families.get(name) !== family)
      .map((name) => `${file} ${name}`)
  })
}

test('a family asks for its own features only', () => {
  assert.equal(foreign(textsOf('plugins/**/*.ts')).sort(), Object.keys(REASONS).sort())
})

test('a use of another family is found, and one of the same family is none', () => {
  const text = 'declare const __CLUSTER_NATS__: boolean\nif (__CLUSTER_NATS__) join()\n'
  assert.equal(foreign([['plugins/realtime/live/hub.ts', text]]), ['plugins/realtime/live/hub.ts __CLUSTER_NATS__'])
  assert.equal(foreign([['plugins/cluster/nats/link.ts', text]]), [])
})
