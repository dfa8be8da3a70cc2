/** The API pages contain every export of the entry points, each with a doc comment. */
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { documented, readApi } from '../../scripts/docs/read-api.ts'

const test = suite('docs: api')

test('every export of a documented entry point is on a page, with a doc comment', async () => {
  const { project } = await readApi(root)
  const modules = project.children ?? []
  assert.equal(modules.map((child) => child.name).sort(), documented.map((child) => child.name).sort())
  for (const { name: entry, source } of documented) {
    const module = modules.find((child) => child.name === entry)!
    const pages = module.children ?? []
    const values = Object.keys((await import(join(root, source))) as object)
    const names = pages.map((page) => page.name)
    for (const value of values) assert.ok(names.includes(value), `${entry} exports ${value}, which has no page`)
    const bare = pages.filter(
      (page) => !page.hasComment() && !(page.signatures ?? []).some((child) => child.hasComment()),
    )
    assert.equal(
      bare.map((page) => `${entry} ${page.name}`),
      [],
    )
  }
})

test.run()
