/** Packages that differ from the lock file are refused, whichever of their files was edited. */
import { appendFileSync, cpSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundle } from '../../scripts/build/bundle/bundle.ts'
import { generateTarget } from '../../scripts/build/generate/generate.ts'
import { root } from '../../scripts/build/paths.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { hashAhead, packageHash } from '../../scripts/build/prove/packages/package-hash.ts'
import { checkPackages } from '../../scripts/build/prove/packages/packages.ts'
import { counts, lockedPackages, pins } from '../../scripts/build/prove/packages/pins.ts'
import { treeHash } from '../../scripts/build/prove/packages/tree-hash.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('packages')
const planned = await plan('embedded-mobile')
const made = await bundle(generateTarget(planned, planned.targets[0]!))

test('the packages of a bundle and of the tools match the lock file, and the proof has their hashes', () => {
  const { packages, problems } = checkPackages(made, root)
  assert.equal(problems, [])
  for (const name of ['sql.js', '@noble/hashes', 'esbuild', 'typescript', 'postject']) {
    const { locked, sha256 } = packages[`node_modules/${name}`]!
    assert.ok(locked && /^[0-9a-f]{64}$/.test(sha256), name)
  }
  for (const tool of [/^node_modules\/@esbuild\/\w+-\w+$/, /^node_modules\/node-/]) {
    assert.ok(
      Object.keys(packages).some((place) => tool.test(place)),
      String(tool),
    )
  }
})

test('a package with an additional byte, an additional file, a missing file or a link has another hash', () => {
  const original = join(root, 'node_modules/itty-router')
  const pinned = pins()['node_modules/itty-router']!.sha256
  const changed = (change: (folder: string) => void): string => {
    const folder = join(folderWith(), 'itty-router')
    cpSync(original, folder, { recursive: true })
    change(folder)
    return treeHash(folder, (name) => counts('node_modules/itty-router', name))
  }
  assert.is(
    changed(() => {}),
    pinned,
  )
  for (const change of [
    (folder: string) => appendFileSync(join(folder, 'index.mjs'), ' '),
    (folder: string) => writeFileSync(join(folder, 'more.js'), ''),
    (folder: string) => rmSync(join(folder, 'index.mjs')),
    (folder: string) => {
      rmSync(join(folder, 'index.mjs'))
      symlinkSync(join(original, 'index.mjs'), join(folder, 'index.mjs'))
    },
  ])
    assert.is.not(changed(change), pinned)
})

test('the hashes that a thread computes are those of the packages', async () => {
  const ci = process.env['CI']
  process.env['CI'] = 'true'
  const copies = Array.from({ length: 10 }, (_, index) => {
    const from = join(folderWith(), 'itty-router')
    cpSync(join(root, 'node_modules/itty-router'), from, { recursive: true })
    if (index === 9) appendFileSync(join(from, 'index.mjs'), ' ')
    return { place: 'node_modules/itty-router', from }
  })
  try {
    await hashAhead(copies)
  } finally {
    if (ci === undefined) delete process.env['CI']
    else process.env['CI'] = ci
  }
  // The copies are removed, so that the hashes cannot be computed again.
  for (const { from } of copies) rmSync(from, { recursive: true })
  const pinned = pins()['node_modules/itty-router']!.sha256
  const [edited, ...whole] = copies.map(packageHash).reverse()
  assert.is(new Set(whole).size, 1)
  assert.is(whole[0], pinned)
  assert.match(edited!, /^[0-9a-f]{64}$/)
  assert.is.not(edited, pinned)
})

test('files that differ from the pin are refused, and so is a pin of another version than in the lock file', () => {
  const place = 'node_modules/sql.js'
  const locked = lockedPackages()
  const pinned = pins()
  const edited = { ...pinned, [place]: { ...pinned[place]!, sha256: '0'.repeat(64) } }
  const [problem, ...more] = checkPackages(made, root, { locked, pins: edited }).problems
  assert.equal(more, [])
  assert.is(problem!.code, 'ERR_PROOF_PACKAGE')
  assert.match(problem!.message, 'node_modules/sql.js differs from the package that the lock file names')
  const moved = { ...locked, [place]: { ...locked[place]!, integrity: 'sha512-x' } }
  assert.match(
    checkPackages(made, root, { locked: moved, pins: pinned }).problems[0]!.message,
    'is not pinned as the lock file',
  )
  const { [place]: _, ...unpinned } = pinned
  assert.match(
    checkPackages(made, root, { locked, pins: unpinned }).problems[0]!.message,
    'is not pinned as the lock file',
  )
})

test('a bundle with a file that the hash of its package does not cover is refused', () => {
  const file = 'node_modules/sql.js/dist/sql-asm.js'
  const input = made.metafile.inputs['node_modules/sql.js/dist/sql-wasm-browser.js']!
  const inputs = { ...made.metafile.inputs, [file]: input }
  const { problems } = checkPackages({ ...made, metafile: { ...made.metafile, inputs } }, root)
  assert.equal(
    problems.map(({ code, message }) => [code, message]),
    [['ERR_PROOF_PACKAGE', `${file} has no hash.`]],
  )
})

test('another program in place of esbuild is refused', () => {
  process.env['ESBUILD_BINARY_PATH'] = '/bin/true'
  try {
    assert.match(checkPackages(made, root).problems[0]!.message, 'ESBUILD_BINARY_PATH')
  } finally {
    delete process.env['ESBUILD_BINARY_PATH']
  }
})

test('every pin has the integrity of the lock file', () => {
  const locked = lockedPackages()
  for (const [place, { integrity, version }] of Object.entries(pins())) {
    assert.is(integrity, locked[place]?.integrity, place)
    assert.is(version, locked[place]?.version, place)
  }
  assert.ok(counts('node_modules/pino', 'LICENSE.md') && !counts('node_modules/pino', 'README.md'))
  assert.ok(counts('node_modules/pino', 'bin/esbuild') && !counts('node_modules/esbuild', 'bin/esbuild'))
})

test('a build with an edited package fails although the lock file is unchanged', async () => {
  const folder = folderWith()
  for (const name of ['core', 'plugins', 'profiles', 'scripts', 'openapi.json', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  cpSync(join(root, 'package-trees.json'), join(folder, 'package-trees.json'))
  const pinned = JSON.parse(readFileSync(join(folder, 'package-trees.json'), 'utf8')) as Record<string, object>
  // Linked packages must not be edited here, so the test changes the pin instead.
  pinned['node_modules/@noble/hashes'] = { ...pinned['node_modules/@noble/hashes'], sha256: '0'.repeat(64) }
  writeFileSync(join(folder, 'package-trees.json'), JSON.stringify(pinned))
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'))
  const child = startChild(process.execPath, {
    args: ['scripts/build/cli.ts', 'embedded-mobile', 'prove'],
    cwd: folder,
  })
  assert.is((await child.exited).code, 1)
  assert.match(child.err, 'ERR_PROOF_PACKAGE: node_modules/@noble/hashes differs')
})

test.run()
