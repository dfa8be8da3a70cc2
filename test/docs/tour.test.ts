/** docs/tour.md is what a shell printed: its commands are run on what ships. SVC_UPDATE=1 writes what they print now. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../scripts/build/paths.ts'
import { EXECUTABLE } from '../../scripts/build/prove/prove.ts'
import { version } from '../../scripts/build/version.ts'
import { skip } from '../support/skip.ts'
import { type Block, readStories, type Story, withOutputs } from '../support/tour/page.ts'
import { runStory } from '../support/tour/run-story.ts'
import { hasProgram } from '../unit/telemetry/programs.ts'

const test = suite('docs/tour.md')
const file = join(root, 'docs/tour.md')
const shipped = [join(distDir('server-full'), EXECUTABLE), join(distDir(''), `svc-${version}.tgz`)]
const unbuilt = shipped.find((path) => !existsSync(path))

/** For the slowest machine: the story with a build takes half a minute on a fast one. */
const LIMIT_MS = 300_000

/** The blocks that this machine can run; what it leaves out it says. */
function runnable({ title, blocks }: Story): readonly Block[] {
  const lacks = [...new Set(blocks.flatMap(({ needs }) => needs))].filter((program) => !hasProgram(program))
  for (const program of lacks) skip(test, title, `a part of it needs ${program}, which is not here`)
  return blocks.filter(({ needs }) => !needs.some((program) => lacks.includes(program)))
}

const stories = readStories(readFileSync(file, 'utf8'))

for (const story of stories) {
  const { title, source } = story
  if (unbuilt !== undefined) {
    skip(test, title, `${unbuilt} has not been made`)
    continue
  }
  const blocks = runnable(story)
  test(title, async () => {
    assert.ok(
      blocks.some(({ steps }) => steps.some(({ kind }) => kind === 'command')),
      'it runs nothing',
    )
    const outputs = await runStory(blocks, LIMIT_MS)
    const fresh = blocks.reduce(
      (text, block, index) => text.replace(block.source, () => withOutputs(block, outputs[index]!)),
      source,
    )
    if (process.env['SVC_UPDATE'] === '1')
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(source, () => fresh),
      )
    else assert.fixture(fresh, source, 'the page is stale: run this test with SVC_UPDATE=1')
  })
}

test('no command of it is left out by a slip of the pen', () => {
  const page = readFileSync(file, 'utf8')
  const commands = stories.flatMap(({ blocks }) =>
    blocks.flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'command')),
  )
  assert.is(commands.length, page.match(/^\$ /gm)!.length)
})

test.after(() => {
  // What stories build lies where builds lie.
  const page = readFileSync(file, 'utf8')
  for (const [, name] of page.matchAll(/defineProfile\(\{\n +name: '([a-z-]+)'/g)) {
    for (const made of [buildDir(name!), distDir(name!)]) rmSync(made, { recursive: true, force: true })
    rmSync(join(root, '.build/conformance', `${name}.json`), { force: true })
  }
})

test.run()
