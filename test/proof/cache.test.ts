/** A proof that was kept is used again where nothing has changed, and nowhere else. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Account, accountOf } from '../../scripts/build/account/account.ts'
import { type Bundle, bundle } from '../../scripts/build/bundle.ts'
import { inputsKey, isCacheable, isKept, keep, readKept } from '../../scripts/build/cache.ts'
import { cacheDir } from '../../scripts/build/cache-files.ts'
import { generateTarget } from '../../scripts/build/generate.ts'
import { plan } from '../../scripts/build/plan.ts'
import type { Plan } from '../../scripts/build/target-plan.ts'
import { folderWith } from '../support/folder.ts'
import { ownProfile } from '../support/own-profile.ts'

const test = suite('cache of proofs')
const around = { packages: { 'node_modules/pino': 'aa', 'node_modules/esbuild': 'bb' }, tools: ['22.1.0', null] }
const files = {
  'core/kernel.ts': '1',
  'plugins/probes/plugin.ts': '2',
  'profiles/minimal.ts': '3',
  'scripts/build/prove/copies.ts': '4',
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
  const bundles = await Promise.all(planned.targets.map((one) => bundle(generateTarget(planned, one))))
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
    const entry = JSON.parse(kept) as { bundles: { text: string }[] }
    entry.bundles[0]!.text += ';globalThis.poison=1'
    writeFileSync(file, JSON.stringify(entry))
    assert.is(readKept(one.plan, 'k'), undefined)
    writeFileSync(file, kept.slice(0, -100))
    assert.is(readKept(one.plan, 'k'), undefined)
  } finally {
    rmSync(file, { force: true })
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

test.run()
