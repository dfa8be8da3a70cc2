/** A proof that was kept is used again where nothing has changed, and nowhere else. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Account, accountOf } from '../../../scripts/build/account/account.ts'
import { type Bundle, unstamped } from '../../../scripts/build/bundle/bundle.ts'
import { isCacheable, isKept, keep, readKept } from '../../../scripts/build/cache/cache.ts'
import { cacheDir, readJson, secretFile, writeJson } from '../../../scripts/build/cache/cache-files.ts'
import { inputsKey } from '../../../scripts/build/cache/inputs-key.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import type { Plan } from '../../../scripts/build/plan/target-plan.ts'
import { bundlesOf } from '../../../scripts/build/prove/controls/owners.ts'
import { createPositives, type Positives } from '../../../scripts/build/prove/controls/positives.ts'
import { createCodeStore, type ReadCode } from '../../../scripts/build/prove/kept-code.ts'
import { folderWith } from '../../support/folder.ts'
import { ownProfile } from '../../support/own-profile.ts'

/** The suite, for the file that runs it. */
export const test: Suite = suite('cache of proofs')
const around = { packages: { 'node_modules/pino': 'aa', 'node_modules/esbuild': 'bb' }, tools: ['22.1.0', null] }
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
  assert.is(await inputsKey(folderWith(files), around), await inputsKey(folderWith(files), structuredClone(around)))
  assert.is(await inputsKey(), await inputsKey())
})

test('every source, pin, package and tool is in the key', async () => {
  const keys = new Set([await inputsKey(folderWith(files), around)])
  let made = 1
  const add = (key: string): void => {
    keys.add(key)
    assert.is(keys.size, ++made)
  }
  for (const name of Object.keys(files)) add(await inputsKey(folderWith({ ...files, [name]: 'changed' }), around))
  add(await inputsKey(folderWith({ ...files, 'plugins/probes/more.ts': '' }), around))
  add(await inputsKey(folderWith({ ...files, 'plugins/probe/plugin.ts': '2', 'plugins/probes/plugin.ts': '' }), around))
  for (const place of Object.keys(around.packages)) {
    add(await inputsKey(folderWith(files), { ...around, packages: { ...around.packages, [place]: 'cc' } }))
  }
  add(await inputsKey(folderWith(files), { ...around, tools: ['22.1.1', null] }))
  add(await inputsKey(folderWith(files), { ...around, tools: ['22.1.0', '/tmp/esbuild'] }))
})

/** A plan and its bundles under a name that no build uses. */
async function made(): Promise<{ plan: Plan; bundles: Bundle[]; account: Account }> {
  const planned = await plan('embedded-mobile')
  const profile = { ...planned.profile, name: `cache-test-${process.pid}` }
  const renamed = { ...planned, profile }
  const bundles = [...(await bundlesOf(planned))]
  return { plan: renamed, bundles, account: await accountOf(renamed, bundles) }
}

test('what was kept comes back under its key alone, and not where its text is another', async () => {
  const one = await made()
  const file = join(cacheDir, `${one.plan.profile.name}.json`)
  try {
    assert.is(readKept(one.plan, 'k'), undefined)
    assert.is(isKept(one.plan.profile.name, 'k'), false)
    keep(one.plan, 'k', { ...one, proofs: [] })
    assert.equal(
      readKept(one.plan, 'k')?.bundles.map(({ text }) => text),
      one.bundles.map(({ text }) => text),
    )
    assert.is(isKept(one.plan.profile.name, 'k'), true)
    assert.equal(readKept(one.plan, 'k')?.account, one.account)
    assert.is(readKept(one.plan, 'another'), undefined)
    assert.is(isKept(one.plan.profile.name, 'another'), false)
    const kept = readFileSync(file, 'utf8')
    const [seal, json] = [kept.slice(0, kept.indexOf('\n')), kept.slice(kept.indexOf('\n') + 1)]
    // Edited with care: every hash in the file fits the edited text.
    const entry = JSON.parse(json) as { bundles: { text: string; sha256: string }[] }
    entry.bundles[0]!.text += ';globalThis.poison=1'
    entry.bundles[0]!.sha256 = createHash('sha256').update(unstamped(entry.bundles[0]!.text)!).digest('hex')
    for (const edited of [`${seal}\n${JSON.stringify(entry)}`, JSON.stringify(entry), `\n${JSON.stringify(entry)}`]) {
      writeFileSync(file, edited)
      assert.is(readKept(one.plan, 'k'), undefined)
      assert.is(isKept(one.plan.profile.name, 'k'), false)
    }
    writeFileSync(file, kept.slice(0, -100))
    assert.is(readKept(one.plan, 'k'), undefined)
    // The file of another profile, whose seal is right, is none of this one.
    writeFileSync(file, kept)
    assert.is(readKept(one.plan, 'k') === undefined, false)
    const other = join(cacheDir, `cache-test-other-${process.pid}.json`)
    writeFileSync(other, kept)
    assert.is(readJson(other), undefined)
    rmSync(other)
  } finally {
    rmSync(file, { force: true })
  }
})

test('what was read of a file is kept under its text, and read again only as it was written', () => {
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
    assert.is(read('a'), undefined, 'nothing is kept before the proof holds')
    store.write()
    assert.equal(read('a'), code)
    assert.is(read('b'), undefined)
    process.env['CI'] = 'true'
    assert.is(read('a'), undefined, 'CI believes nothing that was kept')
    createCodeStore(file).note('b', code)
    delete process.env['CI']
    const other = createCodeStore(file)
    other.note('c', code)
    other.write()
    assert.equal([read('a'), read('c')], [code, code])
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.replace('eval(x)', 'tidy(x)'))
    assert.is(read('a'), undefined)
    // The seal of a store that was made by another prover is right, and its rows are none of this one.
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

test('what another user, or another secret, has sealed is not read; without a secret nothing is kept', () => {
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

test('nothing is kept in CI, nor of a profile that lies elsewhere or brings features of its own', () => {
  const before = process.env['CI']
  try {
    delete process.env['CI']
    assert.is(isCacheable('minimal'), true)
    assert.is(isCacheable(ownProfile({ name: `cache-test-${process.pid}` })), false)
    // One that lies at the root of the project is in no key either.
    assert.is(isCacheable('edge'), false)
    process.env['CI'] = 'true'
    assert.is(isCacheable('minimal'), false)
  } finally {
    if (before === undefined) delete process.env['CI']
    else process.env['CI'] = before
  }
})
