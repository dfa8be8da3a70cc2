/** Makes tests of the commands of a page: each ends with 0 and prints what the page says. SVC_UPDATE=1 writes what they print now. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../../scripts/build/paths.ts'
import { EXECUTABLE } from '../../../scripts/build/prove/prove.ts'
import { version } from '../../../scripts/build/version.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { skip } from '../skip.ts'
import { maskIds } from './masks.ts'
import { type Block, isCommand, type Page, readPage, type Story, withOutputs } from './page.ts'
import { runStory } from './run-story.ts'

/** For the slowest machine: the story with a build takes half a minute on a fast one. */
const LIMIT_MS = 300_000

/** What `make build package binary` makes, and commands of pages work with. */
const shipped = [join(distDir('server-full'), EXECUTABLE), join(distDir(''), `svc-${version}.tgz`)]

/** Adds a test for each story of a page, such as `docs/tour.md`, and one that none of its commands is left out. */
export function addStories(test: Test, name: string): void {
  const file = join(root, name)
  const text = readFileSync(file, 'utf8')
  const page = readPage(text)
  const unbuilt = shipped.find((path) => !existsSync(path))
  for (const story of page.stories) {
    const title = `${name}: ${story.title}`
    if (unbuilt !== undefined) {
      skip(test, title, `${unbuilt} has not been made`)
      continue
    }
    const blocks = runnable(test, title, story)
    test(title, async () => {
      const outputs = await runStory(blocks, { inClone: page.inClone, limitMs: LIMIT_MS })
      const fresh = blocks.reduce(
        (text, block, index) => text.replace(block.source, () => withOutputs(block, outputs[index]!)),
        story.source,
      )
      if (page.idsAreMadeUp) return assert.fixture(maskIds(fresh), maskIds(story.source), `${name} is stale`)
      if (process.env['SVC_UPDATE'] !== '1')
        assert.fixture(fresh, story.source, `${name} is stale: run this test with SVC_UPDATE=1`)
      const now = readFileSync(file, 'utf8')
      if (fresh !== story.source)
        writeFileSync(
          file,
          now.replace(story.source, () => fresh),
        )
    })
  }

  test(`${name}: no command is left out by a slip of the pen`, () => {
    const shown = text.match(/^[ \t]*[\w.-]*\$ \S/gm)?.length ?? 0
    const unrun = page.notRun.flatMap(({ source }) => source.match(/^[ \t]*[\w.-]*\$ \S/gm) ?? []).length
    assert.is(commandsOf(page).filter(({ output }) => output !== undefined).length + unrun, shown)
  })

  test.after(() => {
    // What stories build lies where builds lie.
    for (const [, profile] of text.matchAll(/defineProfile\(\{\n +name: '([a-z-]+)'/g)) {
      for (const made of [buildDir(profile!), distDir(profile!)]) rmSync(made, { recursive: true, force: true })
      rmSync(join(root, '.build/conformance', `${profile}.json`), { force: true })
    }
  })
}

/** The commands of a page that are run. */
export function commandsOf({
  stories,
}: Pick<Page, 'stories'>): { readonly command: string; readonly output: string | undefined }[] {
  return stories.flatMap(({ blocks }) => blocks.flatMap(({ steps }) => steps.filter(isCommand)))
}

/** The blocks that this machine can run; what it leaves out it says. */
function runnable(test: Test, title: string, { blocks }: Story): readonly Block[] {
  const lacks = [...new Set(blocks.flatMap(({ needs }) => needs))].filter((program) => !hasProgram(program))
  for (const program of lacks) skip(test, title, `a part of it needs ${program}, which is not here`)
  return blocks.filter(({ needs }) => !needs.some((program) => lacks.includes(program)))
}
