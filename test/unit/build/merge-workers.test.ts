/** Code that a bundle contains as the text of a worker counts as part of the bundle. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { bundle } from '../../../scripts/build/bundle/bundle.ts'
import { generateTarget } from '../../../scripts/build/generate/generate.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import { attribute } from '../../../scripts/build/prove/attribute.ts'
import { outsideImports } from '../../../scripts/build/prove/checks.ts'
import { HASH_PLACEHOLDER, stamp } from '../../../scripts/build/stamp.ts'

const test = suite('workers in bundles')

test('the account of a bundle has the files and packages of its workers, with their bytes', async () => {
  const planned = await plan('minimal')
  const target = planned.targets.find(({ form }) => form === 'main')!
  const made = await bundle(generateTarget(planned, target))
  const found = attribute(planned, made.metafile)
  const worker = found.find(({ file }) => file === 'plugins/auth/api-keys/hashing/argon2-worker.ts')
  assert.ok(worker !== undefined && worker.bytes > 0)
  assert.ok(found.some(({ owner, bytes }) => owner === 'package:hash-wasm' && bytes > 1_000))
  assert.ok(found.every(({ bytes }) => bytes >= 0))
  assert.ok(outsideImports(made, []).builtins.includes('node:worker_threads'))
})

test('the hash replaces the placeholder in the manifest, and no other zeros', () => {
  const { text, sha256 } = stamp(`x="${HASH_PLACEHOLDER}";m={bundleSha256:"${HASH_PLACEHOLDER}"}`)
  assert.is(text, `x="${HASH_PLACEHOLDER}";m={bundleSha256:"${sha256}"}`)
})

test('a bundle without a manifest is refused', () => {
  try {
    stamp(`x="${HASH_PLACEHOLDER}"`)
    assert.unreachable()
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_BUILD_FAILED'))
  }
})

test.run()
