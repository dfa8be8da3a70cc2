import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Plugin } from '../../../core/plugin.ts'
import { createThreadedHasher } from './hasher-threads.ts'
import type { Fingerprint } from './key-verifier.ts'
import { createKeysPlugin } from './plugin.ts'

/** API keys on Node, hashed in worker threads. */
export const plugin: Plugin = createKeysPlugin({
  createHasher: createThreadedHasher,
  // A core stays for the event loop, or guessed keys would slow down everybody else on a machine with two.
  maxParallel: Math.max(1, availableParallelism() - 1),
  createFingerprint,
})

/**
 * One hash of the secret and the text behind it, half of what an HMAC costs. What makes that unfit as a MAC in general,
 * that a hash can be continued, takes a reader of the hashes; these never leave the process.
 */
function createFingerprint(draw: () => Uint8Array): Fingerprint {
  let start: string | undefined
  return (text) => hash('sha256', (start ??= Buffer.from(draw()).toString('hex')) + text, 'base64url')
}
