/** Makes tests of the stories of a page: what their commands print is what the page says. SVC_UPDATE=1 writes what they print now. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../../scripts/build/paths.ts'
import { EXECUTABLE } from '../../../scripts/build/prove/prove.ts'
import { version } from '../../../scripts/build/version.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { skip } from '../skip.ts'
import { type Block, readStories, type Story, withOutputs } from './page.ts'
import { runStory } from './run-story.ts'

/** For the slowest machine: the story with a build takes half a minute on a fast one. */
const LIMIT_MS = 300_000

/** What `make build package binary` makes, and stories work with. */
const shipped = [join(distDir('server-full'), EXECUTABLE), join(distDir(''), `svc-${version}.tgz`)]

/** Adds a test for each story of `docs/<name>`, and one that none of its commands is left out. */
export function addStories(test: Test, name: string): void {
  const file = join(root, 'docs', name)
  const page = readFileSync(file, 'utf8')
  const stories = readStories(page)
  const unbuilt = shipped.find((path) => !existsSync(path))
  for (const story of stories) {
    const { title, source } = story
    if (unbuilt !== undefined) {
      skip(test, title, `${unbuilt} has not been made`)
      continue
    }
    const blocks = runnable(test, story)
    test(title, async () => {
      const outputs = await runStory(blocks, LIMIT_MS)
      const fresh = blocks.reduce(
        (text, block, index) => text.replace(block.source, () => withOutputs(block, outputs[index]!)),
        source,
      )
      if (process.env['SVC_UPDATE'] !== '1')
        assert.fixture(fresh, source, `docs/${name} is stale: run this test with SVC_UPDATE=1`)
      const now = readFileSync(file, 'utf8')
      if (fresh !== source)
        writeFileSync(
          file,
          now.replace(source, () => fresh),
        )
    })
  }

  test('no command is left out by a slip of the pen, and each story has some', () => {
    const counts = stories.map(({ blocks }) => blocks.flatMap(({ steps }) => steps.filter(isCommand)).length)
    assert.ok(counts.every((count) => count > 0))
    assert.is(
      counts.reduce((sum, count) => sum + count, 0),
      page.match(/^\$ /gm)!.length,
    )
  })

  test.after(() => {
    // What stories build lies where builds lie.
    for (const [, profile] of page.matchAll(/defineProfile\(\{\n +name: '([a-z-]+)'/g)) {
      for (const made of [buildDir(profile!), distDir(profile!)]) rmSync(made, { recursive: true, force: true })
      rmSync(join(root, '.build/conformance', `${profile}.json`), { force: true })
    }
  })
}

function isCommand({ kind }: Block['steps'][number]): boolean {
  return kind === 'command'
}

/** The blocks that this machine can run; what it leaves out it says. */
function runnable(test: Test, { title, blocks }: Story): readonly Block[] {
  const lacks = [...new Set(blocks.flatMap(({ needs }) => needs))].filter((program) => !hasProgram(program))
  for (const program of lacks) skip(test, title, `a part of it needs ${program}, which is not here`)
  return blocks.filter(({ needs }) => !needs.some((program) => lacks.includes(program)))
}
