/**
 * Creates tests from the commands of a page: each command must end with 0 and print the output that the page shows.
 * `make renew` writes the output that was seen to the page.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, EXECUTABLE, root } from '../../../scripts/build/paths.ts'
import { version } from '../../../scripts/build/version.ts'
import { leaveSeen } from '../../../scripts/renew/seen-texts.ts'
import { withinLimit } from '../../runner/limit.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { skip } from '../skip.ts'
import { maskIds } from './masks.ts'
import { type Block, isCommand, type Page, readPage, type Story, withOutputs } from './page.ts'
import { runStory } from './run-story.ts'

/** Sufficient for the slowest machine. The story with a build takes half a minute on a fast machine. */
const LIMIT_MS = withinLimit(300_000, 0.9)

/** Artefacts of `make build package binary` that the commands of pages use. */
const shipped = [join(distDir('server-full'), EXECUTABLE), join(distDir(''), `svc-${version}.tgz`)]

/**
 * Adds a test for each story of a page such as `docs/tour.md`, and a test that every command is either run or marked.
 */
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
      if (fresh === story.source) return
      leaveSeen(name, (now) => now.replace(story.source, () => fresh))
      assert.fixture(fresh, story.source, `${name} is stale: make renew`)
    })
  }

  test(`${name}: every command is run or marked as not run`, () => {
    const shown = text.match(/^[ \t]*[\w.-]*\$ \S/gm)?.length ?? 0
    const unrun = page.notRun.flatMap(({ source }) => source.match(/^[ \t]*[\w.-]*\$ \S/gm) ?? []).length
    assert.is(commandsOf(page).filter(({ output }) => output !== undefined).length + unrun, shown)
  })

  test.after(() => {
    // Removes the builds of the stories, which are in the folders of all builds.
    for (const [, profile] of text.matchAll(/defineProfile\(\{\n +name: '([a-z-]+)'/g)) {
      for (const folder of [buildDir(profile!), distDir(profile!)]) rmSync(folder, { recursive: true, force: true })
      rmSync(join(root, '.build/conformance', `${profile}.json`), { force: true })
    }
  })
}

/** Compares the outputs of a story that its own test file has run with the page, and leaves what was seen. */
export function checkOutputs(name: string, { blocks }: Story, outputs: readonly (readonly string[])[]): void {
  const shown = blocks.map(({ source }) => source)
  const seen = blocks.map((block, index) => withOutputs(block, outputs[index]!))
  for (const [index, block] of seen.entries())
    if (block !== shown[index]) leaveSeen(name, (now) => now.replace(shown[index]!, () => block))
  assert.fixture(seen.join('\n\n'), shown.join('\n\n'), `${name} is stale: make renew`)
}

/** The commands of a page that are run. */
export function commandsOf({
  stories,
}: Pick<Page, 'stories'>): { readonly command: string; readonly output: string | undefined }[] {
  return stories.flatMap(({ blocks }) => blocks.flatMap(({ steps }) => steps.filter(isCommand)))
}

/** The blocks that this machine can run. The others are reported as skipped. */
function runnable(test: Test, title: string, { blocks }: Story): readonly Block[] {
  const lacks = [...new Set(blocks.flatMap(({ needs }) => needs))].filter((program) => !hasProgram(program))
  for (const program of lacks) skip(test, title, `a part of it needs ${program}, which is not here`)
  return blocks.filter(({ needs }) => !needs.some((program) => lacks.includes(program)))
}
