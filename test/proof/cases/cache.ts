/** A cached proof is used again if nothing has changed, and in no other case. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Account, accountOf } from '../../../scripts/build/account/account.ts'
import { type Bundle, unstamped } from '../../../scripts/build/bundle/bundle.ts'
import { hasEntry, isCacheable, keep, readCached } from '../../../scripts/build/cache/cache.ts'
import { cacheDir, readJson, secretFile, writeJson } from '../../../scripts/build/cache/cache-files.ts'
import { inputsKey } from '../../../scripts/build/cache/inputs-key.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import type { Plan } from '../../../scripts/build/plan/target-plan.ts'
import { bundlesOf } from '../../../scripts/build/prove/controls/owners.ts'
import { createPositives, type Positives } from '../../../scripts/build/prove/controls/positives.ts'
import { createCodeStore, type ReadCode } from '../../../scripts/build/prove/kept-code.ts'
import { folderWith } from '../../support/folder.ts'
import { ownProfile } from '../../support/own-profile.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('cache of proofs')
const environment = { packages: { 'node_modules/pino': 'aa', 'node_modules/esbuild': 'bb' }, tools: ['22.1.0', null] }
const files = {
  'core/kernel.ts': '1',
  'plugins/probes/plugin.ts': '2',
  'profiles/minimal.ts': '3',
  'scripts/build/prove/copies/copies.ts': '4',
  'openapi.json': '5',
  'package.json': '6',
  'package-lock.json': '7',
  'package-trees.json': '8',
}

test('the key is the same for the same inputs, in any folder', async () => {
  assert.is(
    await inputsKey(folderWith(files), environment),
    await inputsKey(folderWith(files), structuredClone(environment)),
  )
  assert.is(await inputsKey(), await inputsKey())
})

test('every source, pin, package and tool is in the key', async () => {
  const keys = new Set([await inputsKey(folderWith(files), environment)])
  let count = 1
  const add = (key: string): void => {
    keys.add(key)
    assert.is(keys.size, ++count)
  }
  for (const name of Object.keys(files)) add(await inputsKey(folderWith({ ...files, [name]: 'changed' }), environment))
  add(await inputsKey(folderWith({ ...files, 'plugins/probes/more.ts': '' }), environment))
  add(
    await inputsKey(
      folderWith({ ...files, 'plugins/probe/plugin.ts': '2', 'plugins/probes/plugin.ts': '' }),
      environment,
    ),
  )
  for (const place of Object.keys(environment.packages)) {
    add(await inputsKey(folderWith(files), { ...environment, packages: { ...environment.packages, [place]: 'cc' } }))
  }
  add(await inputsKey(folderWith(files), { ...environment, tools: ['22.1.1', null] }))
  add(await inputsKey(folderWith(files), { ...environment, tools: ['22.1.0', '/tmp/esbuild'] }))
})

/** A plan and its bundles under a profile name that no build uses. */
async function createEntry(): Promise<{ plan: Plan; bundles: Bundle[]; account: Account }> {
  const planned = await plan('embedded-mobile')
  const profile = { ...planned.profile, name: `cache-test-${process.pid}` }
  const renamed = { ...planned, profile }
  const bundles = [...(await bundlesOf(planned))]
  return { plan: renamed, bundles, account: await accountOf(renamed, bundles) }
}

test('a cached proof is returned for its key only, and not if its file was edited', async () => {
  const sample = await createEntry()
  const file = join(cacheDir, `${sample.plan.profile.name}.json`)
  try {
    assert.is(readCached(sample.plan, 'k'), undefined)
    assert.is(hasEntry(sample.plan.profile.name, 'k'), false)
    keep(sample.plan, 'k', { ...sample, proofs: [] })
    assert.equal(
      readCached(sample.plan, 'k')?.bundles.map(({ text }) => text),
      sample.bundles.map(({ text }) => text),
    )
    assert.is(hasEntry(sample.plan.profile.name, 'k'), true)
    assert.equal(readCached(sample.plan, 'k')?.account, sample.account)
    assert.is(readCached(sample.plan, 'another'), undefined)
    assert.is(hasEntry(sample.plan.profile.name, 'another'), false)
    const kept = readFileSync(file, 'utf8')
    const [seal, json] = [kept.slice(0, kept.indexOf('\n')), kept.slice(kept.indexOf('\n') + 1)]
    // A careful edit: every hash in the file matches the edited text.
    const edited = JSON.parse(json) as { bundles: { text: string; sha256: string }[] }
    edited.bundles[0]!.text += ';globalThis.poison=1'
    edited.bundles[0]!.sha256 = createHash('sha256').update(unstamped(edited.bundles[0]!.text)!).digest('hex')
    for (const content of [
      `${seal}\n${JSON.stringify(edited)}`,
      JSON.stringify(edited),
      `\n${JSON.stringify(edited)}`,
    ]) {
      writeFileSync(file, content)
      assert.is(readCached(sample.plan, 'k'), undefined)
      assert.is(hasEntry(sample.plan.profile.name, 'k'), false)
    }
    writeFileSync(file, kept.slice(0, -100))
    assert.is(readCached(sample.plan, 'k'), undefined)
    // The file of another profile has a valid seal, but is not accepted for this profile.
    writeFileSync(file, kept)
    assert.is(readCached(sample.plan, 'k') === undefined, false)
    const other = join(cacheDir, `cache-test-other-${process.pid}.json`)
    writeFileSync(other, kept)
    assert.is(readJson(other), undefined)
    rmSync(other)
  } finally {
    rmSync(file, { force: true })
  }
})

test('the parsed code of a file is stored under its text, and is not read if the store was edited', () => {
  const file = join(folderWith(), 'code.json')
  const before = process.env['CI']
  const read = (key: string): unknown => createCodeStore(file).get(key)
  const code: ReadCode = {
    forms: [{ use: 'eval', code: 'eval(x)' }],
    shape: { shingles: Uint32Array.from([1, 2 ** 32 - 1]), functions: [{ name: 'f', from: 0, to: 2 }] },
  }
  try {
    delete process.env['CI']
    const store = createCodeStore(file)
    store.note('a', code)
    assert.is(read('a'), undefined, 'nothing is stored before the proof has passed')
    store.write()
    assert.equal(read('a'), code)
    assert.is(read('b'), undefined)
    process.env['CI'] = 'true'
    assert.is(read('a'), undefined, 'CI does not use the store')
    createCodeStore(file).note('b', code)
    delete process.env['CI']
    const other = createCodeStore(file)
    other.note('c', code)
    other.write()
    assert.equal([read('a'), read('c')], [code, code])
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.replace('eval(x)', 'tidy(x)'))
    assert.is(read('a'), undefined)
    // The store of another version of the prover has a valid seal, but its rows are not used.
    const { rows } = JSON.parse(kept.slice(kept.indexOf('\n') + 1)) as { rows: object }
    writeJson(file, { reader: 'another', rows })
    assert.is(read('a'), undefined)
  } finally {
    if (before === undefined) delete process.env['CI']
    else process.env['CI'] = before
  }
})

test('a positive control is computed once for the same sources; for other sources and in CI it is computed anew', async () => {
  const file = join(folderWith(), 'positives.json')
  const before = process.env['CI']
  const planned = await plan('embedded-mobile')
  const [delivered] = await bundlesOf(planned)
  const feature = { id: 'sync.engine', variant: undefined }
  let asked = 0
  const opened = (key: string): Positives =>
    createPositives({
      file,
      keyOf: async () => key,
      ownerOf: async () => {
        asked++
        return { profile: 'embedded-mobile', plan: planned, metafile: delivered!.metafile }
      },
    })
  try {
    delete process.env['CI']
    const first = opened('k')
    const found = await first.positiveOf(feature)
    assert.ok(found !== undefined && found.bytes > 1_000)
    await first.positiveOf(feature)
    assert.is(asked, 1)
    assert.equal(await opened('k').positiveOf(feature), found)
    assert.is(asked, 2, 'nothing is cached before the proof holds')
    await first.keep()
    assert.equal(await opened('k').positiveOf(feature), found)
    assert.is(asked, 2)
    await opened('other').positiveOf(feature)
    assert.is(asked, 3, 'other sources')
    process.env['CI'] = 'true'
    await opened('k').positiveOf(feature)
    assert.is(asked, 4, 'CI')
    delete process.env['CI']
    writeFileSync(file, readFileSync(file, 'utf8').replace(`${found.bytes}`, '1'))
    assert.equal(await opened('k').positiveOf(feature), found, 'an edited file')
    assert.is(asked, 5)
  } finally {
    if (before === undefined) delete process.env['CI']
    else process.env['CI'] = before
  }
})

test('a file that was sealed with another secret is not read; without a secret nothing is stored', () => {
  const before = process.env['XDG_STATE_HOME']
  const file = join(folderWith(), 'kept.json')
  try {
    process.env['XDG_STATE_HOME'] = folderWith()
    writeJson(file, { a: 1 })
    assert.equal(readJson(file), { a: 1 })
    assert.is(statSync(secretFile()).mode & 0o777, 0o600)
    chmodSync(secretFile(), 0o644)
    assert.is(readJson(file), undefined)
    process.env['XDG_STATE_HOME'] = folderWith()
    assert.is(readJson(file), undefined)
    process.env['XDG_STATE_HOME'] = join(folderWith({ file: '' }), 'file')
    rmSync(file)
    writeJson(file, { a: 1 })
    assert.is(existsSync(file), false)
  } finally {
    if (before === undefined) delete process.env['XDG_STATE_HOME']
    else process.env['XDG_STATE_HOME'] = before
  }
})

test('nothing is cached in CI, nor for a profile outside of profiles/ or with its own features', () => {
  const before = process.env['CI']
  try {
    delete process.env['CI']
    assert.is(isCacheable('minimal'), true)
    assert.is(isCacheable(ownProfile({ name: `cache-test-${process.pid}` })), false)
    // No cache key covers a profile at the root of the project either.
    assert.is(isCacheable('edge'), false)
    process.env['CI'] = 'true'
    assert.is(isCacheable('minimal'), false)
  } finally {
    if (before === undefined) delete process.env['CI']
    else process.env['CI'] = before
  }
})
