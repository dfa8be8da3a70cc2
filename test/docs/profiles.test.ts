/** The profile in docs/profiles.md is built and proved exactly as shown, with the feature of docs/plugins.md. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, root } from '../../scripts/build/paths.ts'
import type { ProofFile } from '../../scripts/build/prove/dist.ts'
import { startChild } from '../support/child.ts'
import { filesOf } from '../support/docs.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('docs/profiles.md')
const folder = folderWith({ ...filesOf('plugins.md'), ...filesOf('profiles.md') })

test.after(() => rmSync(buildDir('edge'), { recursive: true, force: true }))

test('the profile on the page is built and proved', async () => {
  assert.equal(Object.keys(filesOf('profiles.md')), ['edge.ts'])
  const child = startChild(process.execPath, {
    args: [join(root, 'scripts/build/cli.ts'), 'edge.ts'],
    cwd: folder,
    env: { SVC_DIST: join(folder, 'dist') },
  })
  assert.is((await child.exited).code, 0, `${child.out}\n${child.err}`)
  const { bundles } = JSON.parse(readFileSync(join(folder, 'dist/edge/proof.json'), 'utf8')) as ProofFile
  assert.equal(
    bundles.map(({ file }) => file),
    ['index.mjs', 'svc.mjs'],
  )
  for (const { in: owners, out } of bundles) {
    assert.ok(owners['feature:edge.quote']!.bytes > 0)
    assert.ok('telemetry.logs=console' in out)
  }
})

test.run()
