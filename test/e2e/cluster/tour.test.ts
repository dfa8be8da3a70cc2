/** The story of docs/tour.md on three nodes: its commands, with a shell. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { secret } from '../../conformance/caller.ts'
import { withinLimit } from '../../runner/limit.ts'
import { checkOutputs } from '../../support/page-commands/add-stories.ts'
import { storiesRunBy } from '../../support/page-commands/page.ts'
import { runStory } from '../../support/page-commands/run-story.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { noCluster, startCluster } from './rig.ts'

const test = suite('docs/tour.md on three nodes')
const lacks = ['curl', 'jq'].find((program) => !hasProgram(program))

testUnless(
  test,
  noCluster ?? (lacks && `${lacks} is not installed`),
  'a stolen token ends on all of them',
  async () => {
    const stories = storiesRunBy(readFileSync(join(root, 'docs/tour.md'), 'utf8'), 'test/e2e/cluster/tour.test.ts')
    assert.is(stories.length, 1)
    const cluster = await startCluster(0)
    try {
      for (let n = 0; n < 3; n++) await cluster.join({ SVC_SECURITY__DELEGATION: 'true' })
      const [one, two, three] = cluster.nodes.map(({ port }) => port)
      const outputs = await runStory(stories[0]!.blocks, {
        inClone: false,
        limitMs: withinLimit(120_000, 0.9),
        ports: { '8080': one!, '8081': two!, '8082': three! },
        environment: { SVC_SECURITY__JWT_SECRET: secret },
      })
      checkOutputs('docs/tour.md', stories[0]!, outputs)
    } finally {
      await cluster.stop()
    }
  },
)

test.run()
