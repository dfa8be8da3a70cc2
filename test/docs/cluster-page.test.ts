/**
 * The promises of docs/cluster.md have tests: the reasons for suites that are left out on several nodes, and the table
 * of failures.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { casesOn } from '../../core/contract.ts'
import { FIRST_SAFE } from '../../plugins/cluster/nats/server-version.ts'
import { root } from '../../scripts/build/paths.ts'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'
import { skipReason, unsafeOnOld } from '../e2e/cluster/old-servers.ts'
import { told } from '../e2e/cluster/one-node.ts'
import { skip } from '../support/skip.ts'

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

/**
 * The test for each row of the table of failures: a file below test/e2e/cluster, and the beginning of the test's title.
 */
const testedBy: Readonly<Record<string, readonly [file: string, test: string]>> = {
  PostgreSQL: ['keys.test.ts', 'while PostgreSQL is away known keys work and other keys get 503'],
  'the right or the room to write to PostgreSQL: a database that only reads because its disk is nearly full, a revoked grant, a lock':
    ['../../unit/cluster/key-store.test.ts', 'while the database only reads, as a managed one'],
  'PostgreSQL, restarted': ['keys.test.ts', 'after a quick restart of PostgreSQL a ready node looks up'],
  'PostgreSQL, at the start of a node': [
    'keys.test.ts',
    'a node that starts while PostgreSQL is away is alive at once',
  ],
  'a server of NATS, of several': ['replicas.test.ts', 'with cluster.replicas 3 any one server may be killed'],
  NATS: ['live.test.ts', 'while NATS is away streams stay open and publishing gets 503'],
  'NATS, at the start of a node': ['start.test.ts', 'a node that starts while both engines are away is alive'],
  'the network between a node and NATS, without a word': [
    'live.test.ts',
    'a node behind a cut network detects the cut',
  ],
  'the stream `SVC_RUNS`, removed': ['rolling.test.ts', 'after the stream of the runs is removed its runs are 404'],
  'messages of the stream `SVC_RUNS`, purged by an operator': [
    'purge.test.ts',
    'runs whose messages an operator removed are 404 on each node',
  ],
  'room in the stream `SVC_RUNS`, or in the storage of NATS (`max_file_store`) because of other streams': [
    'append-health.test.ts',
    'a full stream is reported without any append',
  ],
  'a server of NATS, lost with its disk': ['faults.test.ts', 'a server is lost for good, and one with an empty disk'],
  'none, but a server of NATS has a slow disk': [
    'faults.test.ts',
    'the disk of the leader is slow, then all three hardly work',
  ],
  'the network between the servers of NATS': ['faults.test.ts', 'the leader is cut off'],
  'the servers of NATS, restarted one after the other': ['faults.test.ts', 'the servers are restarted one after'],
  'the majority of the servers of NATS': [
    'append-health.test.ts',
    'a node whose server runs reports a stream without a majority',
  ],
  'a node, killed': ['rolling.test.ts', 'after a kill of a node its streams end, clients reconnect to another node'],
  'a node, restarted': ['rolling.test.ts', 'keys, calls and entity streams work during a rolling restart'],
}

/** The rows whose tests only a newer NATS passes. */
const needNewer = Object.entries(testedBy)
  .filter(([, [file, name]]) => file === 'faults.test.ts' && unsafeOnOld.some((fault) => fault.startsWith(name)))
  .map(([row]) => row)

test('each row of the table of failures is kept by a test, and has the version of NATS that it needs', () => {
  const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
  const [, table] = /\n\| what is away \| what a client sees \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(page)!
  const rows = new Map(table!.split('\n').map((row) => [row.split(' | ')[0]!.slice(2), row]))
  assert.equal([...rows.keys()].sort(), Object.keys(testedBy).sort())
  for (const [row, [file, name]] of Object.entries(testedBy))
    assert.ok(readFileSync(join(root, 'test/e2e/cluster', file), 'utf8').includes(`'${name}`), row)
  assert.is(needNewer.length, unsafeOnOld.length)
  for (const row of needNewer) assert.match(rows.get(row)!, `nats-server ${FIRST_SAFE}`, row)
})
if (skipReason !== undefined) for (const row of needNewer) skip(test, `what keeps "${row}"`, skipReason)

test.run()
