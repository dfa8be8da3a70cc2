/**
 * A profile of a user, with plugins from a path and from a package, is built, proved and tested like the standard
 * profiles.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../scripts/build/paths.ts'
import { startChild } from '../support/child.ts'
import { isDeep } from '../support/count.ts'
import { ownProfile } from '../support/own-profile.ts'

const test = suite("a user's own profile")
const name = `edge-test-${process.pid}`
const file = ownProfile({ name })

async function run(script: string): Promise<{ code: number | null; out: string; err: string }> {
  const env = { ...process.env, SVC_TEST_DEEP: isDeep() ? '1' : '0' }
  const child = startChild(process.execPath, { args: [join(root, script), file], cwd: join(file, '..'), env })
  const { code } = await child.exited
  return { code, out: child.out, err: child.err }
}

test.after(() => {
  for (const folder of [buildDir(name), distDir(name)]) rmSync(folder, { recursive: true, force: true })
  rmSync(join(root, '.build/conformance', `${name}.json`), { force: true })
})

test('the contract test of a profile that is not built fails, because no case runs', async () => {
  const { code, out } = await run('test/conformance/one.ts')
  assert.is(code, 1, out)
  assert.match(out, /no case of any contract runs on this profile/)
})

test('the profile is built', async () => {
  const { code, err } = await run('scripts/build/cli.ts')
  assert.is(code, 0, err)
  for (const made of ['index.mjs', 'svc.mjs', 'manifest.json', 'proof.json']) {
    assert.ok(existsSync(join(distDir(name), made)), made)
  }
})

test('the proof lists the features of both plugins, and the absent features', () => {
  const { profile, bundles } = JSON.parse(readFileSync(join(distDir(name), 'proof.json'), 'utf8')) as {
    profile: string
    bundles: {
      in: Record<string, { bytes: number; files: number }>
      out: Record<string, { bytes: number; positive: { bytes: number }; mutation: string }>
    }[]
  }
  assert.is(profile, name)
  assert.is(bundles.length, 2)
  for (const { in: present, out } of bundles) {
    assert.ok(present['feature:edge.quote']!.bytes > 0)
    assert.is(present['feature:edge.greeter']!.files, 2)
    assert.is(out['telemetry.metrics']!.bytes, 0)
    assert.ok(out['telemetry.metrics']!.positive.bytes > 0)
    assert.ok(out['telemetry.metrics']!.mutation.startsWith('plugins/telemetry/metrics/'))
  }
})

test('the manifest names the plugins with their versions', () => {
  const manifests = JSON.parse(readFileSync(join(distDir(name), 'manifest.json'), 'utf8')) as Record<
    string,
    { plugins: { name: string; version: string }[]; settings: string[] }
  >
  const { plugins, settings } = manifests['svc.mjs']!
  assert.ok(plugins.some(({ name, version }) => name === 'edge.quote' && version === '1.4.0'))
  assert.ok(plugins.some(({ name, version }) => name === 'edge.greeter' && version === '2.1.0'))
  assert.ok(settings.includes('edge.answer'))
})

test('no delivered file contains the path of the build', () => {
  for (const made of ['index.mjs', 'svc.mjs', 'manifest.json', 'proof.json']) {
    const text = readFileSync(join(distDir(name), made), 'utf8')
    assert.not.ok(text.includes(join(file, '..')), made)
    assert.not.ok(text.includes(root), made)
  }
})

test('the cases of the contract of the profile run on each form', async () => {
  const { code, out, err } = await run('test/conformance/one.ts')
  assert.is(code, 0, `${out}\n${err}`)
  const counts = JSON.parse(readFileSync(join(root, '.build/conformance', `${name}.json`), 'utf8')) as Record<
    string,
    { passed: number; failed: number }
  >
  for (const form of ['source', 'library', 'server node']) {
    assert.ok(counts[form]!.passed >= 2, form)
    assert.is(counts[form]!.failed, 0, form)
  }
})

test.run()
