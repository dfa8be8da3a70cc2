/** Argon2id (RFC 9106) for API keys: in WebAssembly if the platform compiles it, otherwise in JavaScript. */

import { later } from '../../../../core/kernel/later.ts'
import type { Awaitable } from '../../../../core/kernel/values.ts'
import { compilesWasm } from './compiles-wasm.ts'
import type { Argon2 } from './hasher.ts'

/** Loads the implementation for this platform when it is first needed. */
export const loadArgon2: () => Awaitable<Argon2> = later(async () =>
  (await compilesWasm()) ? (await import('./argon2-wasm.ts')).argon2 : (await import('./argon2-javascript.ts')).argon2,
)
