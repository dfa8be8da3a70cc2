/** Argon2id against the whole of hash-wasm, and BLAKE2b against Node. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import hashWasm from 'hash-wasm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { argon2id, hashText, verifyText } from '../../../plugins/auth/api-keys/argon2.ts'
import { blake2b } from '../../../plugins/auth/api-keys/blake2b.ts'

const { argon2id: wholeArgon2id, blake2b: wholeBlake2b } = hashWasm
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 255)

test('BLAKE2b is that of Node around every end of a block, and of hash-wasm in every length', async () => {
  for (const length of [0, 1, 64, 127, 128, 129, 255, 256, 257, 1_028]) {
    const expected = createHash('blake2b512').update(bytes(length)).digest('hex')
    assert.is(Buffer.from(blake2b(bytes(length), 64)).toString('hex'), expected, `${length} bytes`)
  }
  for (let length = 1; length <= 64; length++) {
    const expected = await wholeBlake2b(bytes(length * 3), length * 8)
    assert.is(Buffer.from(blake2b(bytes(length * 3), length)).toString('hex'), expected, `to ${length} bytes`)
  }
})

test('Argon2id is that of hash-wasm for any password, salt, cost and length', async () => {
  const cost = fc
    .record({ lanes: fc.integer({ min: 1, max: 5 }), passes: fc.integer({ min: 1, max: 3 }), more: fc.nat(90) })
    .map(({ lanes, passes, more }) => ({ memoryKiB: 8 * lanes + more, iterations: passes, parallelism: lanes }))
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.uint8Array({ minLength: 8, maxLength: 40 }),
      cost,
      fc.integer({ min: 4, max: 140 }),
      async (password, salt, { memoryKiB, iterations, parallelism }, length) => {
        const expected = await wholeArgon2id({
          password,
          salt,
          memorySize: memoryKiB,
          iterations,
          parallelism,
          hashLength: length,
          outputType: 'hex',
        })
        const made = await argon2id(password, salt, { memoryKiB, iterations, parallelism }, length)
        assert.is(Buffer.from(made).toString('hex'), expected)
      },
    ),
    { numRuns: 60 },
  )
})

test('an encoded hash is the usual one, and verifies at its own cost and length', async () => {
  const cost = { memoryKiB: 64, iterations: 2, parallelism: 1 }
  const options = { password: 'secret', salt: bytes(16), iterations: 2, memorySize: 64, parallelism: 1 } as const
  assert.is(
    await hashText('secret', bytes(16), cost),
    await wholeArgon2id({ ...options, hashLength: 32, outputType: 'encoded' }),
  )
  const long = await wholeArgon2id({ ...options, hashLength: 65, outputType: 'encoded' })
  assert.is(await verifyText('secret', long), true)
  assert.is(await verifyText('Secret', long), false)
})

test('what is no hash of Argon2id, and a cost that it does not know, fail', async () => {
  const fails = async (run: () => Promise<unknown>): Promise<void> => {
    let failed = false
    await run().catch(() => {
      failed = true
    })
    assert.ok(failed)
  }
  const encoded = await hashText('x', bytes(16), { memoryKiB: 8, iterations: 1, parallelism: 1 })
  for (const wrong of ['', 'x', encoded.replace('argon2id', 'argon2i'), encoded.replace('v=19', 'v=16'), `${encoded}=`])
    await fails(() => verifyText('x', wrong))
  for (const cost of [
    { memoryKiB: 7, iterations: 1, parallelism: 1 },
    { memoryKiB: 15, iterations: 1, parallelism: 2 },
    { memoryKiB: 8, iterations: 0, parallelism: 1 },
    { memoryKiB: 8, iterations: 1, parallelism: 0 },
  ])
    await fails(() => hashText('x', bytes(16), cost))
  await fails(() => hashText('x', bytes(7), { memoryKiB: 8, iterations: 1, parallelism: 1 }))
})

test.run()
