/** Argon2id with both packages, and on a platform that does not compile WebAssembly. */
import fc from 'fast-check'
import { argon2id } from 'hash-wasm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadArgon2 } from '../../../plugins/auth/api-keys/hashing/argon2.ts'
import { argon2 as inJavaScript } from '../../../plugins/auth/api-keys/hashing/argon2-javascript.ts'
import { argon2 as byWasm } from '../../../plugins/auth/api-keys/hashing/argon2-wasm.ts'
import { compilesWasm } from '../../../plugins/auth/api-keys/hashing/compiles-wasm.ts'
import type { Argon2 } from '../../../plugins/auth/api-keys/hashing/hasher.ts'

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 255)

test('both implementations compute the same hash for any text, salt and cost, and verify it', async () => {
  const cost = fc
    .record({ lanes: fc.integer({ min: 1, max: 4 }), passes: fc.integer({ min: 1, max: 3 }), more: fc.nat(90) })
    .map(({ lanes, passes, more }) => ({ memoryKiB: 8 * lanes + more, iterations: passes, parallelism: lanes }))
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
      fc.uint8Array({ minLength: 8, maxLength: 40 }),
      cost,
      async (text, salt, cost) => {
        const encoded = await byWasm.hash(text, salt, cost)
        assert.is(await inJavaScript.hash(text, salt, cost), encoded)
        for (const implementation of [byWasm, inJavaScript]) {
          assert.is(await implementation.verify(text, encoded), true)
          assert.is(await implementation.verify(`${text}.`, encoded), false)
        }
      },
    ),
    { numRuns: 30 },
  )
})

for (const [name, argon2] of Object.entries<Argon2>({ WebAssembly: byWasm, JavaScript: inJavaScript })) {
  test(`${name}: an encoded hash is verified at its own cost and length`, async () => {
    const options = { password: 'secret', salt: bytes(16), iterations: 2, memorySize: 64, parallelism: 1 } as const
    const long = await argon2id({ ...options, hashLength: 65, outputType: 'encoded' })
    assert.is(await argon2.verify('secret', long), true)
    assert.is(await argon2.verify('Secret', long), false)
  })

  test(`${name}: verifying a text that is not an Argon2id hash fails, and so does hashing with an invalid cost`, async () => {
    const fails = async (run: () => Promise<unknown>): Promise<void> => {
      const error = await run().then(
        () => undefined,
        (error: unknown) => error,
      )
      assert.ok(error instanceof Error)
    }
    const encoded = await argon2.hash('x', bytes(16), { memoryKiB: 8, iterations: 1, parallelism: 1 })
    for (const wrong of ['', 'x', encoded.replace('argon2id', 'argon2x'), encoded.replace('v=19', 'v=x')])
      await fails(() => argon2.verify('x', wrong))
    for (const cost of [
      { memoryKiB: 7, iterations: 1, parallelism: 1 },
      { memoryKiB: 8, iterations: 0, parallelism: 1 },
      { memoryKiB: 8, iterations: 1, parallelism: 0 },
    ])
      await fails(() => argon2.hash('x', bytes(16), cost))
    await fails(() => argon2.hash('x', bytes(7), { memoryKiB: 8, iterations: 1, parallelism: 1 }))
  })
}

test('keys are hashed in JavaScript if the platform does not compile WebAssembly', async () => {
  // Simulates such a platform, which refuses the compilation.
  const { compile } = WebAssembly
  WebAssembly.compile = () =>
    Promise.reject(new WebAssembly.CompileError('Wasm code generation disallowed by embedder'))
  try {
    assert.is(await compilesWasm(), false)
    assert.is(await loadArgon2(), inJavaScript)
  } finally {
    WebAssembly.compile = compile
  }
  assert.is(await compilesWasm(), true)
})

test.run()
