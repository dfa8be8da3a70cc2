/**
 * docs/cluster.md gives the reasons why suites are left out on several nodes, and the versions of NATS that faults
 * need.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { casesOn } from '../../core/testing/contract.ts'
import { FIRST_SAFE } from '../../plugins/cluster/nats/server-version.ts'
import { root } from '../../scripts/build/paths.ts'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'
import { unsafeOnOld } from '../e2e/cluster/old-servers.ts'
import { told } from '../e2e/cluster/one-node.ts'

const test = suite('docs/cluster.md')

test('the page lists each reason why a case or suite holds for one node alone, and no other reason', () => {
  const cases = Object.values(matrixFeatures).flatMap(({ contract }) => casesOn(contract.present))
  const reasons = new Set(cases.flatMap(({ oneNode }) => oneNode ?? []))
  assert.ok(reasons.size > 0)
  assert.equal(
    [...reasons].filter((reason) => !told().includes(reason)),
    [],
  )
  const suites = globSync('test/unit/{auth,realtime}/*.test.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .filter((text) => /onOneNode\(\s*test,/.test(text))
  assert.equal(
    told().filter((reason) => !reasons.has(reason) && !suites.some((text) => text.includes(`'${reason}'`))),
    [],
  )
})

test('the page names the version of NATS beside each fault that an older one does not survive', () => {
  const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
  const [, table] = /\n\| what is away \| what a client sees \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(page)!
  const rows = table!.split('\n').filter((row) => row.includes(`nats-server ${FIRST_SAFE}`))
  assert.is(rows.length, unsafeOnOld.length)
})

test.run()
